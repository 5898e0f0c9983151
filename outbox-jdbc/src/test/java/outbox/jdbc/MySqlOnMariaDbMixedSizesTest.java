package outbox.jdbc;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MySqlOnMariaDbMixedSizesTest extends MixedSizesContract {

  @Override
  Database server() {
    return Databases.mariaDbViaMySqlDriver();
  }
}
