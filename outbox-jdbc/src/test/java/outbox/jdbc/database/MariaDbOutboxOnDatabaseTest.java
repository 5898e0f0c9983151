package outbox.jdbc.database;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbOutboxOnDatabaseTest extends OutboxOnDatabaseContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
