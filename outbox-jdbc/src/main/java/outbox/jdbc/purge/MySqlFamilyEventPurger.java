package outbox.jdbc.purge;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.InList;
import outbox.jdbc.internal.ReadCommitted;

/**
 * Locks what it deletes and passes over what others have locked, all in READ COMMITTED. Two purgers
 * that run DELETE … ORDER BY … LIMIT wait for each other's rows and gaps, and deadlock.
 */
abstract class MySqlFamilyEventPurger extends AbstractJdbcEventPurger {

  MySqlFamilyEventPurger() {}

  MySqlFamilyEventPurger(String table) {
    super(table);
  }

  MySqlFamilyEventPurger(TableName table) {
    super(table);
  }

  @Override
  protected int delete(Connection connection, String conditions, Object before, int limit)
      throws SQLException {
    String select =
        """
        SELECT event_id FROM {table} WHERE {conditions} FOR UPDATE SKIP LOCKED
        """;
    String delete =
        """
        DELETE FROM {table} WHERE event_id IN ({ids})
        """;
    return Transactions.inTransaction(
        connection,
        tx -> {
          ReadCommitted.forNextTransaction(tx);
          int deleted = 0;
          for (InList ids : InList.of(query(tx, sql(select, conditions), before, limit))) {
            deleted += JdbcTemplate.update(tx, ids.in(sql(delete, conditions)), ids.after());
          }
          return deleted;
        });
  }

  private static List<String> query(Connection connection, String sql, Object before, int limit) {
    return JdbcTemplate.query(connection, sql, row -> row.getString(1), before, limit);
  }
}
