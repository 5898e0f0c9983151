package outbox.jdbc;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresRefusedStatusTest extends RefusedStatusContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
