package outbox.jdbc.security;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresPayloadLeakTest extends PayloadLeakContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
