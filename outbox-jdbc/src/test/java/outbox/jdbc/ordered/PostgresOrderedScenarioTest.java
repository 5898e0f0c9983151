package outbox.jdbc.ordered;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresOrderedScenarioTest extends OrderedScenarioContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
