package outbox.jdbc;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbMixedSizesTest extends MixedSizesContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
