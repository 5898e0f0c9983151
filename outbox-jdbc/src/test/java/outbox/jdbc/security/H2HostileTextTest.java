package outbox.jdbc.security;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2HostileTextTest extends HostileTextContract {

  @Override
  Database server() {
    return Databases.h2();
  }
}
