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
   * wait for the rows of others. Only DELETE's second form takes a hint, and only these databases
   * read such comments.
   */
  @Override
  String deleteByIds() {
    return """
    DELETE /*! {table} */ FROM {table} /*! FORCE INDEX (PRIMARY) */ WHERE event_id IN ({ids})
    """;
  }
}
