package outbox.jdbc.database;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresOutboxOnDatabaseTest extends OutboxOnDatabaseContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
