package outbox.testing;

import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventPurger;
import outbox.spi.EventRow;
import outbox.spi.OutboxStore;
import outbox.util.JsonCodec;

/**
 * A store that behaves like those on a database and keeps everything in memory.
 *
 * <p>Its {@link #connections} know commit and rollback, so that a test sees what a rolled-back
 * transaction leaves behind: nothing. A null connection is accepted as one under auto-commit. Safe
 * for all threads.
 *
 * <pre>{@code
 * InMemoryOutboxStore store = new InMemoryOutboxStore();
 * StubTxContext tx = new StubTxContext(store.connections());
 * OutboxWriter writer = new OutboxWriter(tx, store);
 * tx.inTransaction(() -> writer.write("OrderPlaced", "{}"));
 * }</pre>
 */
public final class InMemoryOutboxStore implements OutboxStore {

  private static final int LONGEST_ERROR = 4000;

  private final MemoryTable table = new MemoryTable();
  private final Clock clock;
  private final JsonCodec codec;

  public InMemoryOutboxStore() {
    this(Clock.systemUTC());
  }

  public InMemoryOutboxStore(Clock clock) {
    this(clock, JsonCodec.getDefault());
  }

  public InMemoryOutboxStore(Clock clock, JsonCodec codec) {
    this.clock = Objects.requireNonNull(clock, "clock must not be null");
    this.codec = Objects.requireNonNull(codec, "codec must not be null");
  }

  /** Connections to this store and no other, under auto-commit until told otherwise. */
  public ConnectionProvider connections() {
    return () -> MemoryConnection.open(table);
  }

  /** Deletes from this store. */
  public EventPurger purger() {
    return (connection, before, limit) ->
        table
            .change(
                tx(connection),
                true,
                row -> row.doneAt() != null && row.doneAt().isBefore(before),
                limit,
                row -> Optional.empty())
            .size();
  }

  /** Forgets every event. */
  public void clear() {
    table.clear();
  }

  /** Everything about one event, without a connection. */
  public Optional<EventDetails> find(String eventId) {
    return find(null, eventId);
  }

  /** How many committed events stand there. */
  public int count(EventStatus status) {
    return table.count(null, status.isFinal(), row -> row.status() == status);
  }

  @Override
  public void insertNew(@Nullable Connection connection, EventEnvelope event) {
    insert(connection, event, null);
  }

  @Override
  public boolean insertClaimed(
      @Nullable Connection connection, List<EventEnvelope> events, Claim claim) {
    events.forEach(event -> insert(connection, event, claim));
    return true;
  }

  @Override
  public int markDone(@Nullable Connection connection, String eventId) {
    return mark(connection, eventId, row -> row.ended(EventStatus.DONE, now()));
  }

  @Override
  public int markRetry(
      @Nullable Connection connection, String eventId, Instant nextAt, @Nullable String error) {
    return mark(
        connection,
        eventId,
        row -> row.failed(EventStatus.RETRY, cut(error)).dueAt(micros(nextAt)));
  }

  @Override
  public int markDead(@Nullable Connection connection, String eventId, @Nullable String error) {
    return mark(
        connection,
        eventId,
        row -> row.failed(EventStatus.DEAD, cut(error)).ended(EventStatus.DEAD, now()));
  }

  @Override
  public List<OutboxEvent> pollPending(
      @Nullable Connection connection, Instant now, Duration skipRecent, int limit) {
    return table.select(tx(connection), false, row -> isDue(row, now, skipRecent), limit).stream()
        .map(EventDetails::event)
        .toList();
  }

  @Override
  public List<OutboxEvent> claimPending(
      @Nullable Connection connection,
      String ownerId,
      Instant now,
      Instant lockExpiry,
      Duration skipRecent,
      int limit) {
    return table
        .change(
            tx(connection),
            false,
            row -> isDue(row, now, skipRecent) && isFree(row, lockExpiry),
            limit,
            row -> Optional.of(new RowVersion(row).locked(ownerId, micros(now)).details()))
        .stream()
        .map(EventDetails::event)
        .toList();
  }

  @Override
  public int releaseClaims(
      @Nullable Connection connection, String ownerId, Collection<String> eventIds) {
    return Set.copyOf(eventIds).stream()
        .mapToInt(
            eventId ->
                table.update(
                    tx(connection),
                    eventId,
                    row -> ownerId.equals(row.lockedBy()),
                    row -> new RowVersion(row).unlocked().details()))
        .sum();
  }

  @Override
  public Optional<EventDetails> find(@Nullable Connection connection, String eventId) {
    return table.find(tx(connection), eventId);
  }

  @Override
  public List<OutboxEvent> queryDead(
      @Nullable Connection connection,
      @Nullable String eventType,
      @Nullable String aggregateType,
      int limit) {
    return table
        .select(tx(connection), true, row -> isDead(row, eventType, aggregateType), limit)
        .stream()
        .map(EventDetails::event)
        .toList();
  }

  @Override
  public int replayDead(@Nullable Connection connection, String eventId) {
    return table.update(
        tx(connection),
        eventId,
        row -> row.status() == EventStatus.DEAD,
        row -> new RowVersion(row).renewed(now()).details());
  }

  @Override
  public int countDead(@Nullable Connection connection, @Nullable String eventType) {
    return table.count(tx(connection), true, row -> isDead(row, eventType, null));
  }

  private void insert(@Nullable Connection connection, EventEnvelope event, @Nullable Claim claim) {
    RowVersion row = RowVersion.of(event, EventRow.encode(event, codec, now()));
    RowVersion version =
        claim == null ? row : row.locked(claim.ownerId(), micros(claim.lockedAt()));
    if (!table.insert(tx(connection), version.details())) {
      throw new OutboxException("event id is taken already: " + event.eventId(), null);
    }
  }

  private int mark(
      @Nullable Connection connection, String eventId, UnaryOperator<RowVersion> change) {
    return table.update(
        tx(connection),
        eventId,
        row -> !row.status().isFinal(),
        row -> change.apply(new RowVersion(row)).unlocked().details());
  }

  private MemoryTable.@Nullable Transaction tx(@Nullable Connection connection) {
    return MemoryConnection.transactionOf(connection, table);
  }

  private Instant now() {
    return micros(clock.instant());
  }

  private static boolean isDue(EventDetails row, Instant now, Duration skipRecent) {
    return !row.availableAt().isAfter(now)
        && !row.event().createdAt().isAfter(now.minus(skipRecent));
  }

  private static boolean isFree(EventDetails row, Instant lockExpiry) {
    return row.lockedAt() == null || row.lockedAt().isBefore(lockExpiry);
  }

  private static boolean isDead(
      EventDetails row, @Nullable String eventType, @Nullable String aggregateType) {
    return row.status() == EventStatus.DEAD
        && (eventType == null || eventType.equals(row.event().eventType()))
        && (aggregateType == null || aggregateType.equals(row.event().aggregateType()));
  }

  /** Databases keep microseconds, and so does this. */
  private static Instant micros(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS);
  }

  /** Cuts at the limit, never through a surrogate pair. */
  private static @Nullable String cut(@Nullable String error) {
    if (error == null || error.length() <= LONGEST_ERROR) {
      return error;
    }
    boolean splitsPair = Character.isHighSurrogate(error.charAt(LONGEST_ERROR - 1));
    return error.substring(0, splitsPair ? LONGEST_ERROR - 1 : LONGEST_ERROR);
  }
}
