package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresConcurrentReplayTest extends ConcurrentReplayContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
