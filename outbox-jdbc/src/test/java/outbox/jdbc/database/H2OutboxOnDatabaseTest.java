package outbox.jdbc.database;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2OutboxOnDatabaseTest extends OutboxOnDatabaseContract {

  @Override
  Database server() {
    return Databases.h2();
  }
}
