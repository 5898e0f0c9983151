package outbox.jdbc.security;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2HostileOrderTest extends HostileOrderContract {

  @Override
  Database server() {
    return Databases.h2();
  }
}
