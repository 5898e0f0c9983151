package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MySqlOnMariaDbLockedRowTest extends LockedRowContract {

  @Override
  Database server() {
    return Databases.mariaDbViaMySqlDriver();
  }

  @Override
  String lockTimeout() {
    return "SELECT @@innodb_lock_wait_timeout";
  }
}
