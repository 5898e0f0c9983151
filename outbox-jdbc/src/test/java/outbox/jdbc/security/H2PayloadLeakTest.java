package outbox.jdbc.security;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2PayloadLeakTest extends PayloadLeakContract {

  @Override
  Database server() {
    return Databases.h2();
  }
}
