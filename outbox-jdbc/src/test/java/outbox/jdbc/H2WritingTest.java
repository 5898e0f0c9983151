package outbox.jdbc;

import outbox.testing.StoreFixture;

class H2WritingTest extends WritingContract {

  @Override
  StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.h2());
  }
}
