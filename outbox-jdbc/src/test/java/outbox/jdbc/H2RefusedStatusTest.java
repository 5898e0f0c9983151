package outbox.jdbc;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2RefusedStatusTest extends RefusedStatusContract {

  @Override
  Database server() {
    return Databases.h2();
  }
}
