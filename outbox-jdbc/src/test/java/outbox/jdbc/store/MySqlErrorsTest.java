package outbox.jdbc.store;

import org.junit.jupiter.api.Tag;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MySqlEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlErrorsTest extends StoreErrorsContract {

  @Override
  Database server() {
    return Databases.mysql();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MySqlEventPurger();
  }
}
