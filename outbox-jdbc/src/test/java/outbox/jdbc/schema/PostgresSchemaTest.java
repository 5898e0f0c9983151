package outbox.jdbc.schema;

import java.sql.SQLException;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.PostgresEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresSchemaTest extends OutboxSchemaContract {

  @Override
  Database server() {
    return Databases.postgres();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new PostgresEventPurger();
  }

  @Override
  String otherSchema(Database database) throws SQLException {
    execute(database, "CREATE SCHEMA billing");
    return "billing";
  }
}
