package outbox.jdbc.purge;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresConcurrentPurgeTest extends ConcurrentPurgeContract {

  @Override
  Database server() {
    return Databases.postgres();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new PostgresEventPurger();
  }
}
