package outbox.jdbc.store;

import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MySqlEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MySqlOnMariaDbErrorsTest extends StoreErrorsContract {

  @Override
  Database server() {
    return Databases.mariaDbViaMySqlDriver();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MySqlEventPurger();
  }
}
