package outbox.jdbc.store;

import org.junit.jupiter.api.Tag;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlBlockLeftoversTest extends BlockLeftoversContract {

  @Override
  Database server() {
    return Databases.mysql();
  }
}
