package outbox.jdbc.security;

import org.junit.jupiter.api.Tag;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlHostileOrderTest extends HostileOrderContract {

  @Override
  Database server() {
    return Databases.mysql();
  }
}
