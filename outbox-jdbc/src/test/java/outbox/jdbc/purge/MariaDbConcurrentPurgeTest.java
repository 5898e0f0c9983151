package outbox.jdbc.purge;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbConcurrentPurgeTest extends ConcurrentPurgeContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MariaDbEventPurger();
  }
}
