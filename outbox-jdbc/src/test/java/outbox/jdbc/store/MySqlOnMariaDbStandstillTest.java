package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MySqlOnMariaDbStandstillTest extends InnoDbStandstillContract {

  @Override
  Database server() {
    return Databases.mariaDbViaMySqlDriver();
  }
}
