package outbox.testing.databases;

class MariaDbViaMySqlDriverDatabaseTest extends DatabaseContract {
  @Override
  Database database() {
    return Databases.mariaDbViaMySqlDriver();
  }

  @Override
  String version() {
    return "11.4.5-MariaDB";
  }
}
