package outbox.jdbc.security;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresHostileTextTest extends HostileTextContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
