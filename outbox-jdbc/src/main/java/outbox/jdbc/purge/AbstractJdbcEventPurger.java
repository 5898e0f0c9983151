package outbox.jdbc.purge;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.Attempt;
import outbox.jdbc.internal.InList;
import outbox.spi.EventPurger;

/**
 * Deletes DONE and DEAD events, those that ended first before the others.
 *
 * <p>An event ended at {@code done_at}; a row that another program finished without setting it
 * counts from {@code created_at}. Immutable, and safe for all threads; several purgers may work on
 * one table.
 */
public abstract class AbstractJdbcEventPurger implements EventPurger {

  /** Rows that ended before a moment; served by an index on {@code done_at}. */
  private static final String ENDED = "status IN (1, 3) AND done_at < ? ORDER BY done_at LIMIT ?";

  /** Apart from the others, because one condition for both would use no index. */
  private static final String ENDED_UNDATED =
      "status IN (1, 3) AND done_at IS NULL AND created_at < ? ORDER BY created_at LIMIT ?";

  private final TableName table;

  /** Purges {@code outbox_event}. */
  protected AbstractJdbcEventPurger() {
    this(TableName.DEFAULT);
  }

  /** A table of the current schema; {@link #withTable} takes one of another. */
  protected AbstractJdbcEventPurger(String table) {
    this(TableName.of(table));
  }

  protected AbstractJdbcEventPurger(TableName table) {
    this.table = Objects.requireNonNull(table, "table must not be null");
  }

  /** A purger of this table. */
  public AbstractJdbcEventPurger withTable(TableName table) {
    throw new UnsupportedOperationException(
        getClass().getName() + " has a fixed table; pass it to the constructor or override this");
  }

  /** The name of the database's store, by which a missing table's DDL is found. */
  protected String name() {
    return "";
  }

  protected final TableName table() {
    return table;
  }

  @Override
  public int purge(Connection connection, Instant before, int limit) {
    if (limit <= 0) {
      return 0;
    }
    Object time = timeParameter(before.truncatedTo(ChronoUnit.MICROS));
    return new Attempt(table, name())
        .to(
            "purge events",
            () -> {
              int deleted = delete(connection, ENDED, time, limit);
              return deleted == limit
                  ? deleted
                  : deleted + delete(connection, ENDED_UNDATED, time, limit - deleted);
            });
  }

  /** How a time is bound; here as a date and time in UTC. */
  protected Object timeParameter(Instant time) {
    return time;
  }

  /** Runs ahead of the statements of a purge, in their transaction. */
  protected void beforeLocking(Connection connection) throws SQLException {}

  /**
   * Deletes the rows that {@code WHERE} finds with these conditions, which include order and limit
   * and take both parameters.
   *
   * <p>Locks them first and passes over what others have locked: purgers that delete straight away
   * wait for each other's rows, and deadlock.
   */
  protected int delete(Connection connection, String conditions, Object before, int limit)
      throws SQLException {
    String select =
        """
        SELECT event_id FROM {table} WHERE {conditions} FOR UPDATE SKIP LOCKED
        """;
    return Transactions.inTransaction(
        connection,
        tx -> {
          beforeLocking(tx);
          List<String> ended =
              JdbcTemplate.query(
                  tx, sql(select, conditions), row -> row.getString(1), before, limit);
          int deleted = 0;
          for (InList ids : InList.of(ended)) {
            deleted += JdbcTemplate.update(tx, ids.in(sql(deleteByIds(), "")), ids.after());
          }
          return deleted;
        });
  }

  /** Deletes rows that are already locked, as many as {@code {ids}} has. */
  String deleteByIds() {
    return """
    DELETE FROM {table} WHERE event_id IN ({ids})
    """;
  }

  /** The statement with the table and the conditions in their places. */
  protected final String sql(String template, String conditions) {
    return template.replace("{table}", table.toString()).replace("{conditions}", conditions);
  }
}
