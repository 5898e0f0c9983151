package outbox.testing.databases;

import org.junit.jupiter.api.Tag;

@Tag("mysql")
class MySqlDatabaseTest extends DatabaseContract {
  @Override
  Database database() {
    return Databases.mysql();
  }

  @Override
  String version() {
    return "8.0.33";
  }
}
