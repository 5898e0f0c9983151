package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.DatabaseClock;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.EventRows;
import outbox.jdbc.internal.OneOf;
import outbox.jdbc.internal.TableOperations;
import outbox.jdbc.internal.TableOperations.Work;
import outbox.model.DeadQuery.Position;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.EventRow;
import outbox.spi.Fetched;

/** The table as its store's database sees it: names in statements, values in and out of columns. */
final class EventTable {

  private final AbstractJdbcOutboxStore store;

  EventTable(AbstractJdbcOutboxStore store) {
    this.store = store;
  }

  TableName name() {
    return store.table();
  }

  TableOperations operations() {
    return new TableOperations(store.table(), store.name());
  }

  /** The operation completes the sentence "could not …". */
  <T> T run(String operation, Work<T> work) {
    return operations().run(operation, work);
  }

  void alignClock(Connection connection) {
    String sql = store.timeQuery();
    if (sql != null && store.clock() instanceof DatabaseClock clock && clock.isDue()) {
      run(
          "read the database's clock",
          () -> {
            clock.align(
                connection,
                asked ->
                    JdbcTemplate.query(asked, sql, row -> rows().requiredTime(row, "now")).get(0));
            return clock;
          });
    }
  }

  String sql(String template) {
    return template
        .replace("{deleteFrom}", store.deleteFrom())
        .replace("{table}", store.table().toString())
        .replace("{columns}", EventRows.COLUMNS)
        .replace("{allColumns}", EventRows.ALL_COLUMNS)
        .replace("{byPrimaryKey}", store.byPrimaryKey())
        .replace("{order}", store.pendingOrder())
        .replace("{latest}", store.latest());
  }

  /** Likewise, with what payload and headers of a row weigh. */
  String weighing(String template) {
    String headersLength = store.lengthOf("headers");
    String weight = store.lengthOf("payload") + " + COALESCE(" + headersLength + ", 0)";
    return sql(
        template
            .replace("{lightColumns}", EventRows.LIGHT_COLUMNS)
            .replace("{weight}", weight)
            .replace("{headersLength}", headersLength));
  }

  /** Returns the number of rows changed. */
  int update(
      String operation, Connection connection, String template, @Nullable Object... parameters) {
    return run(operation, () -> JdbcTemplate.update(connection, sql(template), parameters));
  }

  Instant now() {
    return store.clock().instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** Cuts to microseconds here, once, so that no driver rounds. */
  Object time(Instant time) {
    return store.timeParameter(time.truncatedTo(ChronoUnit.MICROS));
  }

  @Nullable Object json(@Nullable String text) {
    return store.jsonParameter(text);
  }

  EventRow encode(EventEnvelope event) {
    EventRow row = EventRow.encode(event, store.jsonCodec(), store.clock());
    store.requireStorable(event, row.payload());
    return row;
  }

  OneOf oneOf() {
    return store.oneOf();
  }

  String onTakenId() {
    return store.onTakenId();
  }

  String insertedTime(Connection connection) {
    return store.insertedTime(connection);
  }

  boolean sendsBatchesInBulk() {
    return store.sendsBatchesInBulk();
  }

  List<String> pendingConditions() {
    return store.pendingConditions();
  }

  boolean locksBeforeItLimits() {
    return store.locksBeforeItLimits();
  }

  /** For transactions that lock rows which others may need. */
  Standstill standstill() {
    return new Standstill(store.orderedDialect());
  }

  /** For statements that write statuses. */
  LockWait lockWait() {
    return new LockWait(store.orderedDialect());
  }

  void beforeLocking(Connection connection) throws SQLException {
    store.beforeLocking(connection);
  }

  Optional<EventDetails> find(Connection connection, String eventId) {
    String sql =
        """
        SELECT {allColumns}
        FROM {table}
        WHERE event_id = ?
        """;
    return run(
            "find event " + eventId,
            () -> JdbcTemplate.query(connection, sql(sql), this::details, eventId))
        .stream()
        .findFirst();
  }

  OutboxEvent event(ResultSet row) throws SQLException {
    return rows().event(row);
  }

  Instant time(ResultSet row, String column) throws SQLException {
    return rows().requiredTime(row, column);
  }

  Fetched fetched(ResultSet row) throws SQLException {
    return new Fetched(
        event(row), rows().requiredTime(row, "available_at"), row.getInt("taken_over") == 1);
  }

  /** Where a row stands in the order of claims. */
  record Due(Instant availableAt, String eventId) {}

  Due due(ResultSet row) throws SQLException {
    return new Due(rows().requiredTime(row, "available_at"), row.getString("event_id"));
  }

  /** Who has locked a row, and when. */
  record Holder(String eventId, @Nullable String ownerId, @Nullable Instant lockedAt) {

    boolean isBy(Claim claim) {
      return claim.ownerId().equals(ownerId)
          && claim.lockedAt().truncatedTo(ChronoUnit.MICROS).equals(lockedAt);
    }
  }

  Holder holder(ResultSet row) throws SQLException {
    return new Holder(
        row.getString("event_id"), row.getString("locked_by"), store.readTime(row, "locked_at"));
  }

  EventDetails details(ResultSet row) throws SQLException {
    return rows().details(row);
  }

  /** Where a row stands in the order of dead letters. */
  Position position(ResultSet row) throws SQLException {
    return new Position(rows().requiredTime(row, "created_at"), row.getString("event_id"));
  }

  private EventRows rows() {
    return new EventRows(store::readTime);
  }
}
