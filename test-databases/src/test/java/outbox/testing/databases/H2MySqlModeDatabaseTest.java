package outbox.testing.databases;

class H2MySqlModeDatabaseTest extends DatabaseContract {
  @Override
  Database database() {
    return Databases.h2MySqlMode();
  }

  @Override
  String version() {
    return "2.";
  }

  @Override
  String versionQuery() {
    return "SELECT H2VERSION()";
  }
}
