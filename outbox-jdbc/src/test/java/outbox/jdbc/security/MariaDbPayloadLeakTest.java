package outbox.jdbc.security;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbPayloadLeakTest extends PayloadLeakContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
