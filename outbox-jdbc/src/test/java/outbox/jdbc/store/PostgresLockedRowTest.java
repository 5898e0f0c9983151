package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresLockedRowTest extends LockedRowContract {

  @Override
  Database server() {
    return Databases.postgres();
  }

  @Override
  String lockTimeout() {
    return "SHOW lock_timeout";
  }
}
