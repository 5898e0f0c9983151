package outbox.jdbc.store;

import org.junit.jupiter.api.Tag;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlStandstillTest extends StandstillContract {

  @Override
  Database server() {
    return Databases.mysql();
  }
}
