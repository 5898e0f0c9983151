package outbox.jdbc.purge;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MySqlOnMariaDbSmallTablePurgeTest extends SmallTablePurgeContract {

  @Override
  Database server() {
    return Databases.mariaDbViaMySqlDriver();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MySqlEventPurger();
  }
}
