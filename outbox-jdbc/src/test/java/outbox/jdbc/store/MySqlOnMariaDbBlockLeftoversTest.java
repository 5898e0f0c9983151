package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MySqlOnMariaDbBlockLeftoversTest extends BlockLeftoversContract {

  @Override
  Database server() {
    return Databases.mariaDbViaMySqlDriver();
  }
}
