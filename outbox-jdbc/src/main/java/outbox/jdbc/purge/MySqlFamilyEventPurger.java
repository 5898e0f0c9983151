package outbox.jdbc.purge;

import java.sql.Connection;
import java.sql.SQLException;
import outbox.jdbc.TableName;
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

  /**
   * By primary key whatever the statistics say: a scan, which is cheaper in a small table, would
   * wait for the rows of others. MySQL takes the first hint, from 8.0.20 on, and MariaDB, which
   * alone reads such comments as the other two, DELETE's second form with the last.
   */
  @Override
  String deleteByIds() {
    return """
    DELETE /*+ INDEX({name} PRIMARY) */ /*M! {table} */
    FROM {table} /*M! FORCE INDEX (PRIMARY) */
    WHERE event_id IN ({ids})
    """
        .replace("{name}", table().name());
  }
}
