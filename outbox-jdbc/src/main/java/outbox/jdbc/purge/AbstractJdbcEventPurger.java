package outbox.jdbc.purge;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.Condition;
import outbox.jdbc.internal.EventRows;
import outbox.jdbc.internal.OneOf;
import outbox.jdbc.internal.Overrides;
import outbox.jdbc.internal.TableOperations;
import outbox.jdbc.internal.UtcTime;
import outbox.model.EventDetails;
import outbox.spi.EventArchiver;
import outbox.spi.EventPurger;
import outbox.spi.PurgeRequest;
import outbox.spi.PurgeRequest.Scope;

/**
 * Deletes events that ended, the oldest first, and DONE ones before DEAD ones.
 *
 * <p>An event ended at {@code done_at}; a row that another program finished without setting it
 * counts from {@code created_at}. Immutable, and safe for all threads; several purgers may work on
 * one table.
 */
public abstract class AbstractJdbcEventPurger implements EventPurger {

  private static final String SKIP_LOCKED = "SKIP LOCKED";

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
    int done = purge(connection, new PurgeRequest(Scope.DONE, before, limit, EventArchiver.NONE));
    return done >= limit
        ? done
        : done
            + purge(
                connection, new PurgeRequest(Scope.DEAD, before, limit - done, EventArchiver.NONE));
  }

  @Override
  public int purge(Connection connection, PurgeRequest request) {
    Object before = timeParameter(request.before().truncatedTo(ChronoUnit.MICROS));
    return new TableOperations(table, name())
        .run(
            "purge events",
            () -> {
              int deleted = 0;
              for (Expired expired : expired(request.scope())) {
                if (deleted < request.limit()) {
                  Object[] parameters = expired.parameters(before, request.limit() - deleted);
                  deleted += purge(connection, request, expired.conditions(), parameters);
                }
              }
              return deleted;
            });
  }

  /** A subclass with a purge of its own is asked for that. */
  @Override
  public boolean isSelective() {
    return !Overrides.any(this, AbstractJdbcEventPurger.class, "purge");
  }

  private int purge(
      Connection connection, PurgeRequest request, String conditions, Object... parameters)
      throws SQLException {
    return request.archives()
        ? archiveAndDelete(connection, request, conditions, parameters)
        : delete(connection, conditions, parameters);
  }

  /** How a time is bound; here as a date and time in UTC. */
  protected Object timeParameter(Instant time) {
    return time;
  }

  /** Reads what {@link #timeParameter} writes. */
  protected @Nullable Instant readTime(ResultSet row, String column) throws SQLException {
    return UtcTime.dateTime(row, column);
  }

  /** Runs ahead of the statements of a purge, in their transaction. */
  protected void beforeLocking(Connection connection) throws SQLException {}

  /**
   * Deletes the rows that {@code WHERE} finds with these conditions, which include order and limit
   * and take all parameters.
   *
   * <p>Locks them first and passes over what others have locked: purgers that delete straight away
   * wait for each other's rows, and deadlock.
   */
  protected int delete(Connection connection, String conditions, Object... parameters)
      throws SQLException {
    return Transactions.inTransaction(
        connection, tx -> deleteLocked(tx, lock(tx, SKIP_LOCKED, conditions, parameters)));
  }

  /** Likewise, but waits for those who have rows locked; for a transaction that holds none. */
  final int deleteWaiting(Connection connection, String conditions, Object... parameters)
      throws SQLException {
    return Transactions.inTransaction(
        connection, tx -> deleteLocked(tx, lock(tx, "", conditions, parameters)));
  }

  private int archiveAndDelete(
      Connection connection, PurgeRequest request, String conditions, Object... parameters)
      throws SQLException {
    return Transactions.inTransaction(
        connection,
        tx -> {
          List<EventDetails> events = read(tx, lock(tx, SKIP_LOCKED, conditions, parameters));
          request.archive(events);
          return deleteLocked(tx, events.stream().map(event -> event.event().eventId()).toList());
        });
  }

  /** Asks for no more than an index has, lest MySQL prefers to lock its way through the table. */
  private List<String> lock(
      Connection connection, String wait, String conditions, Object... parameters)
      throws SQLException {
    String select =
        """
        SELECT event_id FROM {table} WHERE {conditions} FOR UPDATE {wait}
        """
            .replace("{wait}", wait);
    beforeLocking(connection);
    return JdbcTemplate.query(
        connection, sql(select, conditions), row -> row.getString(1), parameters);
  }

  private List<EventDetails> read(Connection connection, List<String> eventIds) {
    String select =
        """
        SELECT {allColumns} FROM {table} WHERE {where}
        """
            .replace("{allColumns}", EventRows.ALL_COLUMNS);
    EventRows rows = new EventRows(this::readTime);
    Map<String, EventDetails> events = new HashMap<>();
    for (Condition where : withIds(eventIds)) {
      JdbcTemplate.query(connection, where.in(sql(select, "")), rows::details, where.before())
          .forEach(event -> events.put(event.event().eventId(), event));
    }
    return eventIds.stream().filter(events::containsKey).map(events::get).toList();
  }

  private int deleteLocked(Connection connection, List<String> eventIds) {
    int deleted = 0;
    for (Condition where : withIds(eventIds)) {
      String sql = sql(where.in(deleteFrom() + " WHERE {where}"), "");
      deleted += JdbcTemplate.update(connection, sql, where.before());
    }
    return deleted;
  }

  private List<Condition> withIds(List<String> eventIds) {
    return oneOf().chunks(eventIds).stream()
        .map(ids -> oneOf().condition("event_id", ids))
        .toList();
  }

  List<Expired> expired(Scope scope) {
    return Expired.of(scope);
  }

  OneOf oneOf() {
    return OneOf.LIST;
  }

  /** How a DELETE by a list of ids begins. */
  String deleteFrom() {
    return "DELETE FROM {table}";
  }

  /** The statement with the table and the conditions in their places. */
  protected final String sql(String template, String conditions) {
    return template.replace("{table}", table.toString()).replace("{conditions}", conditions);
  }
}
