package outbox.jdbc.ordered;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbLongTransactionTest extends LongTransactionContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }
}
