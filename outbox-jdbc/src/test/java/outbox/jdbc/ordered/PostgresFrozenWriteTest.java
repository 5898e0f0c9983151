package outbox.jdbc.ordered;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresFrozenWriteTest extends FrozenWriteContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
