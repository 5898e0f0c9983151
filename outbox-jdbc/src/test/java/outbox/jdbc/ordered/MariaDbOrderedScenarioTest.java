package outbox.jdbc.ordered;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbOrderedScenarioTest extends OrderedScenarioContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
