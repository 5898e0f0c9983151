package outbox.destination;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbFanOutTest extends FanOutContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
