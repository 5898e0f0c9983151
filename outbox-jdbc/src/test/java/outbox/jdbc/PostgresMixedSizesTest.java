package outbox.jdbc;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresMixedSizesTest extends MixedSizesContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
