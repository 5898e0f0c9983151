package outbox.jdbc.security;

import org.junit.jupiter.api.Tag;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlPayloadLeakTest extends PayloadLeakContract {

  @Override
  Database server() {
    return Databases.mysql();
  }
}
