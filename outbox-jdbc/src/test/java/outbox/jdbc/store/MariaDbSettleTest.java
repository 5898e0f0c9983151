package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbSettleTest extends SettleContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
