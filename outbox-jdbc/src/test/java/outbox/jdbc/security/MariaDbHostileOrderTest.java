package outbox.jdbc.security;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbHostileOrderTest extends HostileOrderContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
