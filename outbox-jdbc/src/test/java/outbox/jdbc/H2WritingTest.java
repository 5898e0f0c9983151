package outbox.jdbc;

import outbox.testing.StoreFixture;

class H2WritingTest extends WritingContract {

  @Override
  StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.h2());
  }

  /** In memory a statement costs little. */
  @Override
  int oneByOne() {
    return MANY;
  }
}
