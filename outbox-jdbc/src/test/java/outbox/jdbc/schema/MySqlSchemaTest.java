package outbox.jdbc.schema;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MySqlEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlSchemaTest extends OutboxSchemaContract {

  @Override
  Database server() {
    return Databases.mysql();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MySqlEventPurger();
  }

  @Override
  String otherSchema(Database database) throws SQLException {
    // A schema is a database here, and this one's would be left behind: one that drops itself.
    Database other = server().fresh();
    return other.url().replaceFirst(".*/", "").replaceFirst("[?].*", "");
  }
}
