package outbox.destination;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MySqlOnMariaDbFanOutTest extends FanOutContract {

  @Override
  Database server() {
    return Databases.mariaDbViaMySqlDriver();
  }
}
