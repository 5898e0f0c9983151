package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2LockedRowTest extends LockedRowContract {

  @Override
  Database server() {
    return Databases.h2();
  }

  @Override
  String lockTimeout() {
    return "SELECT LOCK_TIMEOUT()";
  }
}
