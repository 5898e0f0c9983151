package outbox.jdbc;

import org.junit.jupiter.api.Tag;
import outbox.jdbc.purge.MySqlEventPurger;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlSpecifiedTableTest extends SpecifiedTableContract {

  @Override
  Table table() {
    return new Table(Databases.mysql(), new MySqlEventPurger(), "JSON", "DATETIME(6)");
  }
}
