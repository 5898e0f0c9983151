package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.Reason;

/** Finds out what the schema lacks of what delivery in order needs. */
final class OrderedCheck {

  private final OrderedTables tables;
  private final TableName event;
  private final String script;

  OrderedCheck(OrderedTables tables) {
    this.tables = tables;
    event = tables.events().name();
    script = tables.events().operations().database();
  }

  void check(Connection connection) {
    tables.run(
        "check what delivery in order needs",
        () -> {
          checkEvents(connection);
          for (String table : List.of("outbox_node", "outbox_fence", "outbox_lease")) {
            requireColumn(connection, tables.shared(table), "session_id", script + "-ordered");
          }
          requireColumn(
              connection, tables.shared("outbox_blocked"), "event_id", script + "-ordered");
          if (tables.dialect() != OrderedDialect.POSTGRESQL) {
            requireColumn(connection, tables.shared("outbox_key"), "key_hash", script + "-ordered");
          }
          return tables;
        });
  }

  /** On MySQL and MariaDB a number that the database makes has an index of its own. */
  private void checkEvents(Connection connection) {
    requireColumn(connection, event.toString(), "seq", script);
    switch (tables.dialect()) {
      case POSTGRESQL -> requireIndexByNumber(connection);
      case H2 -> {
        requireColumn(connection, event.toString(), "partition_no", script);
        requireIndexByStatusAndNumber(connection);
      }
      case INNODB -> requireColumn(connection, event.toString(), "partition_no", script);
    }
  }

  private static void requireColumn(
      Connection connection, String table, String column, String script) {
    try {
      JdbcTemplate.query(
          connection, "SELECT " + column + " FROM " + table + " WHERE 1 = 0", row -> column);
    } catch (OutboxStoreException e) {
      if (e.getCause() instanceof SQLException cause && Reason.isMissing(cause)) {
        throw missing("column " + column + " of table " + table, script);
      }
      throw e;
    }
  }

  private void requireIndexByNumber(Connection connection) {
    String sql =
        """
        SELECT indexrelid
        FROM pg_index
        JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
        WHERE indrelid = to_regclass(?) AND indisvalid AND attname = 'seq'
          AND (indpred IS NULL OR pg_get_expr(indpred, indrelid) LIKE '%& 1%')
        """;
    requireIndex(connection, "(seq)", sql, event.toString());
  }

  private void requireIndexByStatusAndNumber(Connection connection) {
    String sql =
        """
        SELECT index_name
        FROM information_schema.index_columns
        WHERE UPPER(table_name) = UPPER(?) AND UPPER(table_schema) = UPPER(COALESCE(?, SCHEMA()))
          AND (ordinal_position = 1 AND UPPER(column_name) = 'STATUS'
            OR ordinal_position = 2 AND UPPER(column_name) = 'SEQ')
        GROUP BY index_name
        HAVING COUNT(*) = 2
        """;
    requireIndex(connection, "(status, seq)", sql, event.name(), event.schema());
  }

  private void requireIndex(
      Connection connection, String columns, String sql, @Nullable Object... parameters) {
    if (JdbcTemplate.query(connection, sql, row -> columns, parameters).isEmpty()) {
      throw missing("index on " + columns + " of table " + event, script + "-ordered");
    }
  }

  private static OutboxStoreException missing(String what, String script) {
    return new OutboxStoreException(
        "delivery in order needs the %s, which is missing; create it with OutboxSchema or with the resource schema/%s.sql"
            .formatted(what, script),
        null);
  }
}
