package outbox.jdbc.purge;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbSmallTablePurgeTest extends SmallTablePurgeContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MariaDbEventPurger();
  }
}
