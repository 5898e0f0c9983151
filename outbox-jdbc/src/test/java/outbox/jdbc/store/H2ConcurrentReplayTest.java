package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2ConcurrentReplayTest extends ConcurrentReplayContract {

  @Override
  Database server() {
    return Databases.h2();
  }
}
