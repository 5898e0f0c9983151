package outbox.testing.databases;

class MariaDbDatabaseTest extends DatabaseContract {
  @Override
  Database database() {
    return Databases.mariaDb();
  }

  @Override
  String version() {
    return "11.4.5-MariaDB";
  }
}
