package outbox.jdbc.ordered;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresLongTransactionTest extends LongTransactionContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
