package outbox.jdbc.ordered;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresOrderedFaultTest extends OrderedFaultContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
