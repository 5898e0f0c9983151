package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresSettleTest extends SettleContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
