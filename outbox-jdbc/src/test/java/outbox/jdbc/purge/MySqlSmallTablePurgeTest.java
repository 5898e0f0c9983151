package outbox.jdbc.purge;

import org.junit.jupiter.api.Tag;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlSmallTablePurgeTest extends SmallTablePurgeContract {

  @Override
  Database server() {
    return Databases.mysql();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MySqlEventPurger();
  }
}
