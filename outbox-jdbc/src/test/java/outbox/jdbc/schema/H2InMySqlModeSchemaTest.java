package outbox.jdbc.schema;

import java.sql.SQLException;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.H2EventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class H2InMySqlModeSchemaTest extends OutboxSchemaContract {

  @Override
  Database server() {
    return Databases.h2MySqlMode();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new H2EventPurger();
  }

  @Override
  String otherSchema(Database database) throws SQLException {
    execute(database, "CREATE SCHEMA billing");
    return "billing";
  }
}
