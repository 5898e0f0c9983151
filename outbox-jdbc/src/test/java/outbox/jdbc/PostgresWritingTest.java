package outbox.jdbc;

import outbox.testing.StoreFixture;

class PostgresWritingTest extends WritingContract {

  @Override
  StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.postgres());
  }
}
