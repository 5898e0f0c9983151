package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresBlockLeftoversTest extends BlockLeftoversContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
