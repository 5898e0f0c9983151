package outbox.jdbc;

import org.junit.jupiter.api.Tag;
import outbox.testing.StoreFixture;

@Tag("mysql")
class MySqlWritingTest extends WritingContract {

  @Override
  StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.mySql());
  }
}
