package outbox.destination;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresHangingDestinationTest extends HangingDestinationContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
