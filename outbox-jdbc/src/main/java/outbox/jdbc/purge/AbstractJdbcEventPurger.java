package outbox.jdbc.purge;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.Attempt;
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

  /**
   * Deletes the rows that {@code WHERE} finds with these conditions, which include order and limit
   * and take both parameters.
   */
  protected int delete(Connection connection, String conditions, Object before, int limit)
      throws SQLException {
    String sql =
        """
        DELETE FROM {table}
        WHERE event_id IN (SELECT event_id FROM {table} WHERE {conditions})
        """;
    return JdbcTemplate.update(connection, sql(sql, conditions), before, limit);
  }

  /** The statement with the table and the conditions in their places. */
  protected final String sql(String template, String conditions) {
    return template.replace("{table}", table.toString()).replace("{conditions}", conditions);
  }
}
