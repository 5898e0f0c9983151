package outbox.jdbc.store;

import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2BlockLeftoversTest extends BlockLeftoversContract {

  @Override
  Database server() {
    return Databases.h2();
  }
}
