package outbox.testing;

import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.Backlog;
import outbox.spi.Claim;
import outbox.spi.ConnectionProvider;
import outbox.spi.DeadBatch;
import outbox.spi.EventFilter;
import outbox.spi.EventPurger;
import outbox.spi.EventRow;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.OrderedStore;
import outbox.spi.OutboxStore;
import outbox.spi.Settlement;
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

  private final MemoryTable table = new MemoryTable();
  private final MemoryOrderedStore ordered;
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
    ordered = new MemoryOrderedStore(table, clock);
  }

  /** Connections to this store and no other, under auto-commit until told otherwise. */
  public ConnectionProvider connections() {
    return () -> MemoryConnection.open(table);
  }

  /** Deletes from this store. */
  public EventPurger purger() {
    return new MemoryPurger(table);
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
    requireFree(event, insert(connection, event, null));
  }

  @Override
  public boolean insertClaimed(
      @Nullable Connection connection, List<EventEnvelope> events, Claim claim) {
    events.forEach(event -> requireFree(event, insert(connection, event, claim)));
    return true;
  }

  @Override
  public boolean insertIfAbsent(
      @Nullable Connection connection, EventEnvelope event, @Nullable Claim claim) {
    return insert(connection, event, claim);
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
        row ->
            row.failedAgain(EventStatus.RETRY, RowVersion.cut(error))
                .dueAt(RowVersion.micros(nextAt)));
  }

  @Override
  public int markDead(@Nullable Connection connection, String eventId, @Nullable String error) {
    return mark(
        connection,
        eventId,
        row ->
            row.failedAgain(EventStatus.DEAD, RowVersion.cut(error))
                .ended(EventStatus.DEAD, now()));
  }

  @Override
  public List<OutboxEvent> pollPending(
      @Nullable Connection connection, Instant now, Duration skipRecent, int limit) {
    return poll(connection, new Fetch(now, skipRecent, limit, EventFilter.ALL, null, null)).stream()
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
    Fetch fetch = new Fetch(now, skipRecent, limit, EventFilter.ALL, null, null);
    return claim(connection, ownerId, now, lockExpiry, fetch).stream().map(Fetched::event).toList();
  }

  @Override
  public List<Fetched> fetch(@Nullable Connection connection, Fetch fetch) {
    Claim claim = fetch.claim();
    return claim == null
        ? poll(connection, fetch).stream().map(row -> fetched(row, false)).toList()
        : claim(connection, claim.ownerId(), claim.lockedAt(), claim.lockExpiry(), fetch);
  }

  @Override
  public boolean fetchesFiltered() {
    return true;
  }

  @Override
  public List<Instant> dueTimes(@Nullable Connection connection, Fetch later, Instant until) {
    Predicate<EventDetails> falls =
        row ->
            row.availableAt().isAfter(RowVersion.micros(later.now()))
                && !row.availableAt().isAfter(until)
                && isTaken(row, later.filter());
    return table.select(tx(connection), false, falls, Integer.MAX_VALUE).stream()
        .map(EventDetails::availableAt)
        .sorted()
        .limit(later.limit())
        .toList();
  }

  @Override
  public int settle(@Nullable Connection connection, List<Settlement> settlements) {
    return settlements.stream().mapToInt(settlement -> settle(connection, settlement)).sum();
  }

  @Override
  public List<Settlement> held(@Nullable Connection connection, List<Settlement> settlements) {
    return settlements.stream().filter(settlement -> isHeld(connection, settlement)).toList();
  }

  @Override
  public boolean settlesExactly() {
    return true;
  }

  @Override
  public boolean deletesDelivered() {
    return true;
  }

  @Override
  public Clock clock() {
    return clock;
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

  @Override
  public List<EventDetails> queryDead(@Nullable Connection connection, DeadQuery query) {
    return table.select(tx(connection), DeadRows.of(query));
  }

  @Override
  public int countDead(@Nullable Connection connection, DeadFilter filter, int atMost) {
    Predicate<EventDetails> matches = row -> DeadRows.matches(filter, row);
    return table.select(tx(connection), true, matches, atMost).size();
  }

  @Override
  public DeadBatch replayDead(@Nullable Connection connection, DeadQuery query) {
    return changeDead(connection, query, row -> row.renewed(now()));
  }

  @Override
  public DeadBatch discardDead(
      @Nullable Connection connection, DeadQuery query, DiscardReason reason) {
    return changeDead(connection, query, row -> row.discarded(reason, now()));
  }

  @Override
  public Backlog backlog(@Nullable Connection connection, int atMost) {
    return new MemoryBacklog(table, tx(connection), atMost).at(now());
  }

  @Override
  public OrderedStore ordered() {
    return ordered;
  }

  private DeadBatch changeDead(
      @Nullable Connection connection, DeadQuery query, UnaryOperator<RowVersion> change) {
    List<EventDetails> changed =
        table.change(
            tx(connection),
            DeadRows.of(query),
            row -> Optional.of(change.apply(new RowVersion(row)).details()));
    return DeadRows.batch(changed);
  }

  /** False if the id is taken. */
  private boolean insert(
      @Nullable Connection connection, EventEnvelope event, @Nullable Claim claim) {
    RowVersion row = RowVersion.of(event, EventRow.encode(event, codec, clock));
    RowVersion version =
        claim == null ? row : row.locked(claim.ownerId(), RowVersion.micros(claim.lockedAt()));
    return table.insert(tx(connection), version.details());
  }

  private static void requireFree(EventEnvelope event, boolean inserted) {
    if (!inserted) {
      throw new OutboxException("event id is taken already: " + event.eventId(), null);
    }
  }

  private List<EventDetails> poll(@Nullable Connection connection, Fetch fetch) {
    return table.select(tx(connection), false, new MemoryFetch(fetch), fetch.limit());
  }

  private List<Fetched> claim(
      @Nullable Connection connection,
      String ownerId,
      Instant lockedAt,
      Instant lockExpiry,
      Fetch fetch) {
    Set<String> takenOver = new HashSet<>();
    return table
        .change(
            tx(connection),
            false,
            new MemoryFetch(fetch, lockExpiry),
            fetch.limit(),
            row -> {
              if (row.lockedBy() != null) {
                takenOver.add(row.event().eventId());
              }
              return Optional.of(
                  new RowVersion(row).locked(ownerId, RowVersion.micros(lockedAt)).details());
            })
        .stream()
        .map(row -> fetched(row, takenOver.contains(row.event().eventId())))
        .toList();
  }

  private boolean isHeld(@Nullable Connection connection, Settlement settlement) {
    return find(connection, settlement.eventId())
        .filter(row -> !row.status().isFinal() && isHeld(row, settlement.claim()))
        .isPresent();
  }

  private int settle(@Nullable Connection connection, Settlement settlement) {
    return table.change(
        tx(connection),
        settlement.eventId(),
        row -> !row.status().isFinal() && isHeld(row, settlement.claim()),
        row -> new RowVersion(row).after(settlement.outcome(), now()).map(RowVersion::details));
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
    return RowVersion.micros(clock.instant());
  }

  private static Fetched fetched(EventDetails row, boolean takenOver) {
    return new Fetched(row.event(), row.availableAt(), takenOver);
  }

  private static boolean isTaken(EventDetails row, EventFilter filter) {
    OutboxEvent event = row.event();
    return filter.takes(event.eventType(), event.aggregateType(), event.tenantId());
  }

  private static boolean isHeld(EventDetails row, @Nullable Claim claim) {
    return claim == null
        || (claim.ownerId().equals(row.lockedBy())
            && RowVersion.micros(claim.lockedAt()).equals(row.lockedAt()));
  }

  private static boolean isDead(
      EventDetails row, @Nullable String eventType, @Nullable String aggregateType) {
    return row.status() == EventStatus.DEAD
        && (eventType == null || eventType.equals(row.event().eventType()))
        && (aggregateType == null || aggregateType.equals(row.event().aggregateType()));
  }
}
