package outbox.jdbc;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbRefusedStatusTest extends RefusedStatusContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
