package outbox.jdbc.store;

import java.sql.SQLException;
import java.util.List;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbOrderedSchemaTest extends OrderedSchemaContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }

  @Override
  String otherSchema() throws SQLException {
    // A schema is a database here, and this one's would be left behind: one that drops itself.
    Database other = server().fresh();
    return other.url().replaceFirst(".*/", "").replaceFirst("[?].*", "");
  }

  @Override
  List<String> types() {
    return List.of("LONGTEXT", "DATETIME(6)");
  }

  @Override
  int statementsOfARead() {
    return 3;
  }
}
