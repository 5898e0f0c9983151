package outbox.jdbc.ordered;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbOrderedFaultTest extends OrderedFaultContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
