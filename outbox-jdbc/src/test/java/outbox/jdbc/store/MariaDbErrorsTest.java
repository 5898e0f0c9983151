package outbox.jdbc.store;

import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MariaDbEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbErrorsTest extends StoreErrorsContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MariaDbEventPurger();
  }
}
