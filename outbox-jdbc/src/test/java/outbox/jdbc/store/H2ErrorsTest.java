package outbox.jdbc.store;

import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.H2EventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2ErrorsTest extends StoreErrorsContract {

  @Override
  Database server() {
    return Databases.h2();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new H2EventPurger();
  }
}
