package outbox.jdbc.store;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.jdbc.TableName;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresOrderedSchemaTest extends OrderedSchemaContract {

  @Override
  Database server() {
    return Databases.postgres();
  }

  @Override
  String otherSchema() throws SQLException {
    execute("CREATE SCHEMA billing");
    return "billing";
  }

  @Override
  List<String> types() {
    return List.of("JSON", "TIMESTAMPTZ(6)");
  }

  @Override
  int statementsOfARead() {
    return 1;
  }

  @Test
  void missingIndexIsNamedWithItsScript() throws SQLException {
    apply(TableName.DEFAULT);
    execute("DROP INDEX outbox_event_ordered");

    assertMissing(() -> store.ordered().check(connection), "index", "seq", "-ordered.sql");
  }
}
