package outbox.jdbc.ordered;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbDeadlyNeighbourTest extends DeadlyNeighbourContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
