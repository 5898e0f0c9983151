package outbox.jdbc.schema;

import java.sql.SQLException;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MariaDbEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbSchemaTest extends OutboxSchemaContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MariaDbEventPurger();
  }

  @Override
  String otherSchema(Database database) throws SQLException {
    // A schema is a database here, and this one's would be left behind: one that drops itself.
    Database other = server().fresh();
    return other.url().replaceFirst(".*/", "").replaceFirst("[?].*", "");
  }
}
