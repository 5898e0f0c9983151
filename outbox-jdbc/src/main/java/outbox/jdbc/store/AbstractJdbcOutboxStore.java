package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.DatabaseClock;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.OneOf;
import outbox.jdbc.internal.UtcTime;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;
import outbox.spi.Backlog;
import outbox.spi.Claim;
import outbox.spi.DeadBatch;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.OrderedStore;
import outbox.spi.OutboxStore;
import outbox.spi.Settlement;
import outbox.util.JsonCodec;

/**
 * Keeps events in one table of a relational database, which needs the fifteen columns of the
 * specification and no more. The statements are the same everywhere; a subclass holds what its
 * database does differently. Times are stored in UTC with microseconds. As it stands this class
 * suits a database that knows {@code LIMIT} and {@code FOR UPDATE SKIP LOCKED}. Thread-safe.
 *
 * <p>For another database, extend it, override {@link #copy}, and register that as a service.
 */
public abstract class AbstractJdbcOutboxStore implements OutboxStore {

  private final TableName table;
  private final JsonCodec jsonCodec;
  private final Clock clock;
  private final OwnWays own = OwnWays.of(this);
  final EventTable events;
  private final InsertStatements inserts;
  private final SettleStatements settles;
  final PendingStatements pending;
  private final DeadStatements dead;

  /** Keeps events in {@code outbox_event}. */
  protected AbstractJdbcOutboxStore() {
    this(TableName.DEFAULT, JsonCodec.getDefault(), new DatabaseClock());
  }

  /** A table of the current schema; {@link #withTable} takes one of another. */
  protected AbstractJdbcOutboxStore(String table) {
    this(table, JsonCodec.getDefault());
  }

  protected AbstractJdbcOutboxStore(String table, JsonCodec jsonCodec) {
    this(TableName.of(table), jsonCodec, new DatabaseClock());
  }

  @SuppressWarnings("this-escape") // the parts keep the store and use it only after this
  protected AbstractJdbcOutboxStore(TableName table, JsonCodec jsonCodec, Clock clock) {
    this.table = Objects.requireNonNull(table, "table must not be null");
    this.jsonCodec = Objects.requireNonNull(jsonCodec, "jsonCodec must not be null");
    this.clock = Objects.requireNonNull(clock, "clock must not be null");
    events = new EventTable(this);
    inserts = new InsertStatements(events);
    settles = new SettleStatements(events);
    pending = new PendingStatements(events);
    dead = new DeadStatements(events);
  }

  /** What {@link JdbcOutboxStores#get} knows the store by: the product's name for itself. */
  public abstract String name();

  /** How the JDBC URLs of the database begin, such as {@code jdbc:h2:}. */
  public abstract List<String> jdbcUrlPrefixes();

  /** A store that writes headers with this codec. */
  public AbstractJdbcOutboxStore withJsonCodec(JsonCodec jsonCodec) {
    return copy(table, jsonCodec, clock);
  }

  /** A store on this table. */
  public AbstractJdbcOutboxStore withTable(TableName table) {
    return copy(table, jsonCodec, clock);
  }

  /** A store that takes all times from this clock instead of the database's. */
  public AbstractJdbcOutboxStore withClock(Clock clock) {
    return copy(table, jsonCodec, clock);
  }

  /** A store of the same class with these settings. */
  protected AbstractJdbcOutboxStore copy(TableName table, JsonCodec jsonCodec, Clock clock) {
    throw new UnsupportedOperationException(
        getClass().getName()
            + " can't be copied; pass settings to its constructor or override copy in it");
  }

  /** Deletes from the table of this store. */
  public AbstractJdbcEventPurger purger() {
    throw new UnsupportedOperationException(
        getClass().getName() + " names no purger; override purger in it, or set one");
  }

  protected final TableName table() {
    return table;
  }

  protected final JsonCodec jsonCodec() {
    return jsonCodec;
  }

  @Override
  public final Clock clock() {
    return clock;
  }

  @Override
  public void alignClock(Connection connection) {
    events.alignClock(connection);
  }

  /** Selects the time as {@code now}; null where this process has the same clock. */
  protected @Nullable String timeQuery() {
    return null;
  }

  /** How a time, already cut to microseconds, is bound; here as a date and time in UTC. */
  protected Object timeParameter(Instant time) {
    return time;
  }

  /** Reads what {@link #timeParameter} wrote. */
  protected @Nullable Instant readTime(ResultSet row, String column) throws SQLException {
    return UtcTime.dateTime(row, column);
  }

  /** How the text of a payload or of headers is bound. */
  protected @Nullable Object jsonParameter(@Nullable String json) {
    return json;
  }

  /**
   * Refuses a payload that the column can't hold, before anything is executed.
   *
   * @throws IllegalArgumentException if the text must not be inserted
   */
  protected void requireStorable(EventEnvelope event, String payload) {}

  /**
   * What ends an INSERT of a single row so that it does nothing if the id is taken. Empty where a
   * refused INSERT leaves the transaction as it was: then a query and the refusal say so.
   */
  protected String onTakenId() {
    return "";
  }

  /** What finds pending rows, one query each, merged by due time; one if an index serves all. */
  protected List<String> pendingConditions() {
    return List.of("status IN (0, 2)");
  }

  /** Runs ahead of the statements that lock rows for a claim or release them. */
  protected void beforeLocking(Connection connection) throws SQLException {}

  /** How long the text of a column is, in bytes or nearly so. */
  protected String lengthOf(String column) {
    return "OCTET_LENGTH(" + column + ")";
  }

  OneOf oneOf() {
    return OneOf.LIST;
  }

  /** What stands for a time in an INSERT: a parameter, or one that is microseconds since 1970. */
  String insertedTime(Connection connection) {
    return "?";
  }

  /** Has a query see what others have committed, however old the transaction's view is. */
  String latest() {
    return "";
  }

  /** A hint for updates by a list of ids. */
  String byPrimaryKey() {
    return "";
  }

  /** How a DELETE by a list of ids begins. */
  String deleteFrom() {
    return "DELETE FROM {table}";
  }

  /** The order of the index that finds pending rows: what waits for later comes last. */
  String pendingOrder() {
    return "available_at, event_id";
  }

  /** Whether a batch is sent at once: fast, but without a word on what each statement changed. */
  boolean sendsBatchesInBulk() {
    return false;
  }

  /** Whether a query that locks reads and locks all that it finds, however few it returns. */
  boolean locksBeforeItLimits() {
    return false;
  }

  /** How the database does what delivery in order needs; null if it can't. */
  @Nullable OrderedDialect orderedDialect() {
    return null;
  }

  @Override
  public void insertNew(Connection connection, EventEnvelope event) {
    inserts.insert(connection, List.of(event), null);
  }

  @Override
  public void insertBatch(Connection connection, List<EventEnvelope> events) {
    if (!own.insertOneByOne(this, connection, events)) {
      inserts.insert(connection, events, null);
    }
  }

  @Override
  public boolean insertClaimed(Connection connection, List<EventEnvelope> events, Claim claim) {
    return !own.skipsClaimed() && inserts.insert(connection, events, claim);
  }

  @Override
  public boolean insertIfAbsent(Connection connection, EventEnvelope event, @Nullable Claim claim) {
    own.requireAbsentIsOurs(this);
    return inserts.insertIfAbsent(connection, event, claim);
  }

  @Override
  public int markDone(Connection connection, String eventId) {
    return new MarkStatements(events).done(connection, eventId);
  }

  @Override
  public int markRetry(
      Connection connection, String eventId, Instant nextAt, @Nullable String error) {
    return new MarkStatements(events).retry(connection, eventId, nextAt, error);
  }

  @Override
  public int markDead(Connection connection, String eventId, @Nullable String error) {
    return new MarkStatements(events).dead(connection, eventId, error);
  }

  @Override
  public List<OutboxEvent> pollPending(
      Connection connection, Instant now, Duration skipRecent, int limit) {
    Fetch fetch = new Fetch(now, skipRecent, limit, EventFilter.ALL, null, null);
    return pending.poll(connection, fetch).stream().map(Fetched::event).toList();
  }

  @Override
  public List<Fetched> fetch(Connection connection, Fetch fetch) {
    if (own.search()) {
      return OutboxStore.super.fetch(connection, fetch);
    }
    Claim claim = fetch.claim();
    return claim == null
        ? pending.poll(connection, fetch)
        : claim(connection, new Lock(claim.ownerId(), claim.lockedAt(), claim.lockExpiry()), fetch);
  }

  @Override
  public boolean fetchesFiltered() {
    return !own.search();
  }

  @Override
  public List<Instant> dueTimes(Connection connection, Fetch later, Instant until) {
    return own.search() ? List.of() : pending.dueTimes(connection, later, until);
  }

  @Override
  public int settle(Connection connection, List<Settlement> settlements) {
    return own.marks()
        ? OutboxStore.super.settle(connection, settlements)
        : settles.settle(connection, settlements);
  }

  @Override
  public List<Settlement> held(Connection connection, List<Settlement> settlements) {
    return own.marks() ? settlements : settles.held(connection, settlements);
  }

  @Override
  public List<Settlement> locked(Connection connection, List<Settlement> settlements) {
    return settles.locked(connection, settlements);
  }

  @Override
  public boolean settlesExactly() {
    return !own.marks();
  }

  @Override
  public boolean deletesDelivered() {
    return !own.marks();
  }

  /**
   * Locks in one transaction, or as part of the caller's if there is one. Rows that another
   * transaction is changing right now are passed over.
   */
  @Override
  public List<OutboxEvent> claimPending(
      Connection connection,
      String ownerId,
      Instant now,
      Instant lockExpiry,
      Duration skipRecent,
      int limit) {
    Fetch fetch = new Fetch(now, skipRecent, limit, EventFilter.ALL, null, null);
    Lock lock = new Lock(ownerId, now, lockExpiry);
    return claim(connection, lock, fetch).stream().map(Fetched::event).toList();
  }

  List<Fetched> claim(Connection connection, Lock lock, Fetch fetch) {
    return pending.claim(connection, lock, fetch);
  }

  @Override
  public int releaseClaims(Connection connection, String ownerId, Collection<String> eventIds) {
    return pending.release(connection, ownerId, eventIds);
  }

  @Override
  public Optional<EventDetails> find(Connection connection, String eventId) {
    return events.find(connection, eventId);
  }

  @Override
  public List<OutboxEvent> queryDead(
      Connection connection,
      @Nullable String eventType,
      @Nullable String aggregateType,
      int limit) {
    return dead.query(connection, eventType, aggregateType, limit);
  }

  @Override
  public int replayDead(Connection connection, String eventId) {
    return dead.replay(connection, eventId);
  }

  @Override
  public int countDead(Connection connection, @Nullable String eventType) {
    return dead.count(connection, eventType);
  }

  @Override
  public List<EventDetails> queryDead(Connection connection, DeadQuery query) {
    return dead.query(connection, query);
  }

  @Override
  public int countDead(Connection connection, DeadFilter filter, int atMost) {
    return dead.count(connection, filter, atMost);
  }

  @Override
  public DeadBatch replayDead(Connection connection, DeadQuery query) {
    return new DeadChanges(events).replay(connection, query);
  }

  @Override
  public DeadBatch discardDead(Connection connection, DeadQuery query, DiscardReason reason) {
    return new DeadChanges(events).discard(connection, query, reason);
  }

  @Override
  public Backlog backlog(Connection connection, int atMost) {
    return new BacklogStatements(events, dead).read(connection, atMost);
  }

  @Override
  public OrderedStore ordered() {
    OrderedDialect dialect = orderedDialect();
    return dialect == null ? OutboxStore.super.ordered() : new JdbcOrderedStore(events, dialect);
  }
}
