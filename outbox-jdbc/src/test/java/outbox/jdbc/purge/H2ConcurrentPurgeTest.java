package outbox.jdbc.purge;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2ConcurrentPurgeTest extends ConcurrentPurgeContract {

  @Override
  Database server() {
    return Databases.h2();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new H2EventPurger();
  }
}
