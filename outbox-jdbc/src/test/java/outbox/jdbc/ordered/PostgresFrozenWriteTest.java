package outbox.jdbc.ordered;

import org.junit.jupiter.api.Tag;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("faults")
class PostgresFrozenWriteTest extends FrozenWriteContract {

  @Override
  Database server() {
    return Databases.postgres();
  }
}
