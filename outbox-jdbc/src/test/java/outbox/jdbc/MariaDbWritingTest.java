package outbox.jdbc;

import outbox.testing.StoreFixture;

class MariaDbWritingTest extends WritingContract {

  @Override
  StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.mariaDb());
  }
}
