package outbox.destination;

import org.junit.jupiter.api.Tag;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlFanOutTest extends FanOutContract {

  @Override
  Database server() {
    return Databases.mysql();
  }
}
