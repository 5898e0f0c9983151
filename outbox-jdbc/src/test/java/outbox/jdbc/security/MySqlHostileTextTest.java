package outbox.jdbc.security;

import org.junit.jupiter.api.Tag;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlHostileTextTest extends HostileTextContract {

  @Override
  Database server() {
    return Databases.mysql();
  }
}
