package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresStandstillTest extends StandstillContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
