package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbStandstillTest extends InnoDbStandstillContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
