package outbox.jdbc.database;

import org.junit.jupiter.api.Tag;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlOutboxOnDatabaseTest extends OutboxOnDatabaseContract {

  @Override
  Database server() {
    return Databases.mysql();
  }
}
