package outbox.jdbc.purge;

import java.sql.Connection;
import java.sql.SQLException;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.ByPrimaryKey;
import outbox.jdbc.internal.ReadCommitted;

/** What MySQL and MariaDB have in common: InnoDB. */
abstract class MySqlFamilyEventPurger extends AbstractJdbcEventPurger {

  MySqlFamilyEventPurger() {}

  MySqlFamilyEventPurger(String table) {
    super(table);
  }

  MySqlFamilyEventPurger(TableName table) {
    super(table);
  }

  @Override
  protected void beforeLocking(Connection connection) throws SQLException {
    ReadCommitted.forNextTransaction(connection);
  }

  /**
   * Without an index that serves the purge InnoDB locks all that it reads, and so what others find
   * free says nothing of what is left: before a purge comes back short it waits for them once.
   */
  @Override
  protected int delete(Connection connection, String conditions, Object... parameters)
      throws SQLException {
    int limit = (Integer) parameters[parameters.length - 1];
    int deleted = super.delete(connection, conditions, parameters);
    if (deleted >= limit || !connection.getAutoCommit()) {
      return deleted;
    }
    Object[] rest = parameters.clone();
    rest[rest.length - 1] = limit - deleted;
    return deleted + deleteWaiting(connection, conditions, rest);
  }

  @Override
  String deleteFrom() {
    return ByPrimaryKey.deleteFrom(table());
  }
}
