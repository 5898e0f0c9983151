package outbox.jdbc;

import org.junit.jupiter.api.Tag;
import outbox.testing.OrderedLateInsertContract;
import outbox.testing.StoreFixture;

@Tag("mysql")
class MySqlOrderedLateInsertTest extends OrderedLateInsertContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.mySql());
  }
}
