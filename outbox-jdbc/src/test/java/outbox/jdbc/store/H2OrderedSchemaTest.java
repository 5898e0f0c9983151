package outbox.jdbc.store;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.jdbc.TableName;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2OrderedSchemaTest extends OrderedSchemaContract {

  @Override
  Database server() {
    return Databases.h2();
  }

  @Override
  String otherSchema() throws SQLException {
    execute("CREATE SCHEMA billing");
    return "billing";
  }

  @Override
  List<String> types() {
    return List.of("CLOB", "TIMESTAMP(6)");
  }

  @Override
  int statementsOfARead() {
    return 4;
  }

  @Test
  void missingIndexIsNamedWithItsScript() throws SQLException {
    apply(TableName.DEFAULT);
    execute("DROP INDEX outbox_event_ordered");

    assertMissing(() -> store.ordered().check(connection), "index", "seq", "-ordered.sql");
  }
}
