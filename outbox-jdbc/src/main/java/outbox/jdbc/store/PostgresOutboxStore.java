package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.JsonSyntax;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.Condition;
import outbox.jdbc.internal.OneOf;
import outbox.jdbc.internal.UntypedParameter;
import outbox.jdbc.internal.UtcTime;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.PostgresEventPurger;
import outbox.spi.Backlog;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.util.JsonCodec;

/**
 * Keeps events in PostgreSQL and claims them with a single statement.
 *
 * <p>Payload and headers may be {@code json}, {@code jsonb} or text columns, times {@code
 * timestamptz} or {@code timestamp}: values are sent without a type and take that of their column,
 * but the times of a new event are numbers where it is known to be {@code timestamptz}. So a store
 * is for one table, whose times don't become {@code timestamp} while it is in use.
 *
 * <p>A payload that is not JSON is refused before the INSERT, which would abort the transaction.
 */
public class PostgresOutboxStore extends AbstractJdbcOutboxStore {

  public PostgresOutboxStore() {}

  public PostgresOutboxStore(String table) {
    super(table);
  }

  public PostgresOutboxStore(String table, JsonCodec jsonCodec) {
    super(table, jsonCodec);
  }

  private PostgresOutboxStore(TableName table, JsonCodec jsonCodec, Clock clock) {
    super(table, jsonCodec, clock);
  }

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public List<String> jdbcUrlPrefixes() {
    return List.of("jdbc:postgresql:");
  }

  @Override
  public AbstractJdbcEventPurger purger() {
    return new PostgresEventPurger().withTable(table());
  }

  @Override
  public PostgresOutboxStore withJsonCodec(JsonCodec jsonCodec) {
    return copy(table(), jsonCodec, clock());
  }

  @Override
  protected PostgresOutboxStore copy(TableName table, JsonCodec jsonCodec, Clock clock) {
    return new PostgresOutboxStore(table, jsonCodec, clock);
  }

  @Override
  protected Object timeParameter(Instant time) {
    return UntypedParameter.of(time);
  }

  @Override
  protected @Nullable Instant readTime(ResultSet row, String column) throws SQLException {
    return UtcTime.timestamp(row, column);
  }

  @Override
  protected Object jsonParameter(@Nullable String json) {
    return new UntypedParameter(json);
  }

  @Override
  protected void requireStorable(EventEnvelope event, String payload) {
    if (!JsonSyntax.isJson(payload)) {
      throw new IllegalArgumentException(
          "payload of event %s (%s) must be JSON, got text that is not; nothing was inserted"
              .formatted(event.eventId(), event.eventType()));
    }
  }

  /** A refused INSERT would abort the transaction. */
  @Override
  protected String onTakenId() {
    return "ON CONFLICT (event_id) DO NOTHING";
  }

  @Override
  protected String timeQuery() {
    return "SELECT clock_timestamp() AS now";
  }

  /**
   * A number is read faster than a text, but says nothing of a time zone: columns without one get
   * their times as text, which both kinds take for what it is.
   */
  @Override
  String insertedTime(Connection connection) {
    String sql =
        """
        SELECT t.typname
        FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        WHERE a.attrelid = to_regclass(?)
          AND a.attname IN ('available_at', 'created_at', 'locked_at')
        """;
    String table = table().toString();
    List<String> types = JdbcTemplate.query(connection, sql, row -> row.getString(1), table);
    return types.equals(Collections.nCopies(3, "timestamptz"))
        ? "to_timestamp(?)"
        : super.insertedTime(connection);
  }

  @Override
  protected String lengthOf(String column) {
    return "octet_length(" + column + "::text)";
  }

  @Override
  OneOf oneOf() {
    return OneOf.ARRAY;
  }

  /** Of what is due, as much is claimed as fits; what was locked beyond is free with the commit. */
  @Override
  List<Fetched> claim(Connection connection, Lock lock, Fetch fetch) {
    String sql =
        """
        WITH due AS (
          SELECT event_id AS due_id, CASE WHEN locked_by IS NULL THEN 0 ELSE 1 END AS taken_over,
            {weight} AS weight
          FROM {table}
          WHERE status IN (0, 2) AND {where}
          ORDER BY {order}
          LIMIT ?
          FOR UPDATE SKIP LOCKED
        ), weighed AS (
          SELECT due_id, taken_over, SUM(weight) OVER (ROWS UNBOUNDED PRECEDING) - weight AS before
          FROM due
        )
        UPDATE {table}
        SET locked_by = ?, locked_at = ?
        FROM weighed
        WHERE event_id = due_id AND before < ?
        RETURNING {columns}, available_at, taken_over
        """;
    if (fetch.limit() <= 0) {
      return List.of();
    }
    Condition where = pending.due(fetch).and(pending.free(lock));
    Object[] parameters =
        where.before(fetch.limit(), lock.ownerId(), events.time(lock.lockedAt()), fetch.bytes());
    List<Fetched> claimed =
        events.run(
            "claim events for " + lock.ownerId(),
            () -> {
              Duration lease = Duration.between(lock.expiry(), lock.lockedAt());
              events.standstill().limit(connection, lease); // unless it commits by itself
              return JdbcTemplate.updateReturning(
                  connection, events.weighing(where.in(sql)), events::fetched, parameters);
            });
    return PendingStatements.oldestFirst(claimed);
  }

  /**
   * Along the indexes whatever the statistics say: in a backlog that came up since they were made,
   * a plan for few rows sorts all there are, which took a hundred times as long. The settings end
   * with the transaction.
   */
  @Override
  public Backlog backlog(Connection connection, int atMost) {
    String sql =
        """
        SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
          set_config('enable_bitmapscan', 'off', true)
        """;
    return events.run(
        "count pending events",
        () ->
            Transactions.inTransaction(
                connection,
                tx -> {
                  JdbcTemplate.query(tx, sql, row -> row.getString(1));
                  return super.backlog(tx, atMost);
                }));
  }

  @Override
  OrderedDialect orderedDialect() {
    return OrderedDialect.POSTGRESQL;
  }
}
