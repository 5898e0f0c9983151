package outbox.destination;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2FanOutTest extends FanOutContract {

  @Override
  Database server() {
    return Databases.h2();
  }
}
