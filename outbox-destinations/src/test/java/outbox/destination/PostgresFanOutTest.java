package outbox.destination;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresFanOutTest extends FanOutContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
