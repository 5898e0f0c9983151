package outbox.testing.databases;

class PostgresDatabaseTest extends DatabaseContract {
  @Override
  Database database() {
    return Databases.postgres();
  }

  @Override
  String version() {
    return "PostgreSQL 18.";
  }
}
