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
