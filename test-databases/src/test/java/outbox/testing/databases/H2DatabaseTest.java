package outbox.testing.databases;

class H2DatabaseTest extends DatabaseContract {
  @Override
  Database database() {
    return Databases.h2();
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
