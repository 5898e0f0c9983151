package outbox.destination;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2HangingDestinationTest extends HangingDestinationContract {

  @Override
  Database server() {
    return Databases.h2();
  }
}
