package outbox.jdbc.store;

import org.junit.jupiter.api.Tag;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlLockedRowTest extends LockedRowContract {

  @Override
  Database server() {
    return Databases.mysql();
  }

  @Override
  String lockTimeout() {
    return "SELECT @@innodb_lock_wait_timeout";
  }
}
