package outbox.testing;

import java.sql.Connection;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.model.BlockedKey;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.EventKey;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.KeyAction;
import outbox.spi.LeaseTable;
import outbox.spi.OrderedPage;
import outbox.spi.OrderedPage.OpenEvent;
import outbox.spi.OrderedPage.Row;
import outbox.spi.OrderedScan;
import outbox.spi.OrderedStore;
import outbox.testing.MemoryLocks.Mode;
import outbox.testing.MemoryTable.Transaction;

/** Order in memory, as a database keeps it. Guarded by the monitor of the table. */
final class MemoryOrderedStore implements OrderedStore {

  private final MemoryTable table;
  private final Clock clock;
  private final MemoryLeases leases;
  private final Map<String, Map<String, Blocked>> blocked = new HashMap<>();

  MemoryOrderedStore(MemoryTable table, Clock clock) {
    this.table = table;
    this.clock = clock;
    leases = new MemoryLeases(table, clock);
  }

  private record Blocked(EventKey key, Instant since) {}

  private record BlockedOf(String relay) {}

  private record KeyLock(EventKey key) {}

  @Override
  public void check(@Nullable Connection connection) {}

  @Override
  public LeaseTable leases() {
    return leases;
  }

  @Override
  public OrderedPage read(@Nullable Connection connection, OrderedScan scan) {
    if (scan.limit() <= 0) {
      return new OrderedPage(List.of(), List.of(), Set.of());
    }
    List<Numbered> pending =
        table.pending(
            tx(connection), scan.after(), scan.upTo(), row -> takes(scan, row), scan.limit());
    List<Row> committed =
        pending.stream().filter(each -> !each.isOpen()).map(MemoryOrderedStore::row).toList();
    List<Row> rows =
        committed.stream().filter(new WithinBytes<>(scan.bytes(), Row::event)).toList();
    boolean isCut = rows.size() < committed.size();
    boolean isFull = isCut || rows.size() == scan.limit();
    long lastRow = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).seq();
    long last = isFull ? lastRow : Math.max(lastRow, scan.passed() + 1);
    List<OpenEvent> open =
        pending.stream()
            .filter(each -> each.isOpen() && each.seq() < last)
            .map(each -> new OpenEvent(each.seq(), EventKey.of(each.row().event())))
            .toList();
    return new OrderedPage(rows, open, Set.of(), 0, isCut);
  }

  @Override
  public List<Head> heads(
      @Nullable Connection connection, String relay, Collection<String> eventIds) {
    synchronized (table) {
      Transaction tx = tx(connection);
      Map<String, Blocked> blocking = blocked(tx, relay);
      return eventIds.stream()
          .distinct()
          .flatMap(eventId -> table.find(tx, eventId).stream())
          .map(row -> head(row, blocking.containsKey(row.event().eventId())))
          .toList();
    }
  }

  @Override
  public void block(@Nullable Connection connection, String relay, EventKey key, String eventId) {
    Blocked block = new Blocked(key, now());
    change(
        tx(connection),
        relay,
        before -> {
          Map<String, Blocked> after = new LinkedHashMap<>(before);
          after.put(eventId, block);
          return after;
        });
  }

  @Override
  public boolean unblock(@Nullable Connection connection, String relay, String eventId) {
    return unblock(tx(connection), relay, eventId);
  }

  @Override
  public List<Block> blocks(@Nullable Connection connection, String relay) {
    synchronized (table) {
      Transaction tx = tx(connection);
      return blocked(tx, relay).entrySet().stream()
          .flatMap(
              entry ->
                  dead(tx, entry.getKey()).stream()
                      .map(row -> block(tx, entry.getValue().key(), row.event())))
          .toList();
    }
  }

  @Override
  public Optional<String> clearLeftovers(
      @Nullable Connection connection, String relay, String after, int limit) {
    synchronized (table) {
      Transaction tx = tx(connection);
      List<String> step =
          blocked(tx, relay).keySet().stream()
              .filter(eventId -> eventId.compareTo(after) > 0)
              .sorted()
              .limit(limit)
              .toList();
      step.stream()
          .filter(eventId -> dead(tx, eventId).isEmpty())
          .forEach(eventId -> unblock(tx, relay, eventId));
      return step.size() < limit ? Optional.empty() : Optional.of(step.get(step.size() - 1));
    }
  }

  @Override
  public List<BlockedKey> blockedKeys(@Nullable Connection connection, String relay, int limit) {
    synchronized (table) {
      Transaction tx = tx(connection);
      Stream<BlockedKey> dead =
          blocked(tx, relay).entrySet().stream()
              .flatMap(
                  entry ->
                      dead(tx, entry.getKey()).stream()
                          .map(row -> waiting(tx, relay, row, entry.getValue().since())));
      Stream<BlockedKey> retried =
          table.select(tx, false, MemoryOrderedStore::isRetriedHead, Integer.MAX_VALUE).stream()
              .map(row -> waiting(tx, relay, row, row.event().createdAt()));
      return Stream.concat(dead, retried)
          .sorted(
              Comparator.comparing(BlockedKey::since)
                  .thenComparing(each -> each.head().event().eventId()))
          .limit(Math.max(0, limit))
          .toList();
    }
  }

  @Override
  public boolean resolve(
      @Nullable Connection connection,
      BlockedKey seen,
      KeyAction action,
      @Nullable DiscardReason reason) {
    if (action == KeyAction.DISCARD) {
      Objects.requireNonNull(reason, "reason must not be null when an event is discarded");
    }
    Transaction callers = tx(connection);
    if (callers != null) {
      return resolve(callers, seen, action, reason);
    }
    Transaction own = new Transaction();
    try {
      boolean resolved = resolve(own, seen, action, reason);
      table.commit(own);
      return resolved;
    } finally {
      table.rollback(own);
    }
  }

  @Override
  public void lockKey(@Nullable Connection connection, EventKey key) {
    Transaction tx = tx(connection);
    if (tx == null) {
      throw new IllegalStateException(
          "lockKey needs a transaction, and the connection is in auto-commit mode: " + key);
    }
    table.lock(tx, new KeyLock(key), Mode.EXCLUSIVE);
  }

  private boolean resolve(
      Transaction tx, BlockedKey seen, KeyAction action, @Nullable DiscardReason reason) {
    String eventId = seen.head().event().eventId();
    boolean isDead = seen.waitsForOperator();
    synchronized (table) {
      boolean isAsSeen =
          table.update(tx, eventId, row -> row.status() == seen.head().status(), row -> row) == 1
              && (isDead
                  ? unblock(tx, seen.relay(), eventId)
                  : seen.head().status() == EventStatus.RETRY && action != KeyAction.RELEASE);
      if (isAsSeen) {
        table.update(
            tx, eventId, row -> true, row -> after(new RowVersion(row), action, reason).details());
      }
      return isAsSeen;
    }
  }

  private RowVersion after(RowVersion row, KeyAction action, @Nullable DiscardReason reason) {
    boolean isDead = row.details().status() == EventStatus.DEAD;
    if (action == KeyAction.DISCARD && reason != null) {
      return row.discarded(reason, now());
    }
    if (action == KeyAction.RETRY) {
      return isDead ? row.renewed(now()) : row.dueAt(now());
    }
    return isDead ? row : row.ended(EventStatus.DEAD, now()).unlocked();
  }

  private boolean unblock(@Nullable Transaction tx, String relay, String eventId) {
    return change(
        tx,
        relay,
        before -> {
          Map<String, Blocked> after = new LinkedHashMap<>(before);
          after.remove(eventId);
          return after;
        });
  }

  private BlockedKey waiting(
      @Nullable Transaction tx, String relay, EventDetails head, Instant since) {
    EventKey key = Objects.requireNonNull(EventKey.of(head.event()));
    long number = table.numberOf(tx, head.event().eventId());
    long depth =
        table
            .pending(
                tx,
                number,
                Long.MAX_VALUE,
                row -> !row.isOpen() && key.equals(EventKey.of(row.row().event())),
                Integer.MAX_VALUE)
            .size();
    return new BlockedKey(relay, key, head, depth, since);
  }

  private Map<String, Blocked> blocked(@Nullable Transaction tx, String relay) {
    table.lock(tx, new BlockedOf(relay), Mode.READ);
    return blocked.getOrDefault(relay, Map.of());
  }

  /** Says whether it changed anything. */
  private boolean change(
      @Nullable Transaction tx,
      String relay,
      Function<Map<String, Blocked>, Map<String, Blocked>> change) {
    synchronized (table) {
      table.lock(tx, new BlockedOf(relay), Mode.EXCLUSIVE);
      Map<String, Blocked> before = blocked(tx, relay);
      Map<String, Blocked> after = change.apply(before);
      blocked.put(relay, after);
      table.onRollback(tx, () -> blocked.put(relay, before));
      return !after.equals(before);
    }
  }

  private Block block(@Nullable Transaction tx, EventKey key, OutboxEvent dead) {
    return new Block(key, dead.eventId(), table.numberOf(tx, dead.eventId()), bucket(dead));
  }

  private Optional<EventDetails> dead(@Nullable Transaction tx, String eventId) {
    return table.find(tx, eventId).filter(row -> row.status() == EventStatus.DEAD);
  }

  private static boolean isRetriedHead(EventDetails row) {
    return row.status() == EventStatus.RETRY && row.event().aggregateId() != null;
  }

  private static boolean takes(OrderedScan scan, Numbered row) {
    OutboxEvent event = row.row().event();
    EventKey key = EventKey.of(event);
    return scan.buckets().get(bucket(event))
        && (scan.only().isEmpty() || (key != null && scan.only().contains(key)))
        && (key == null || !scan.except().contains(key))
        && scan.filter().takes(event.eventType(), event.aggregateType(), event.tenantId());
  }

  private static int bucket(OutboxEvent event) {
    EventKey key = EventKey.of(event);
    int hash = (key == null ? event.eventId() : key.toString()).hashCode() * 0x9E3779B9;
    return (hash >>> 16) % BUCKETS;
  }

  private static Row row(Numbered pending) {
    EventDetails row = pending.row();
    return new Row(pending.seq(), bucket(row.event()), row.event(), row.availableAt());
  }

  private static Head head(EventDetails row, boolean blocks) {
    return new Head(
        row.event().eventId(), row.status(), row.event().attempts(), row.availableAt(), blocks);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private @Nullable Transaction tx(@Nullable Connection connection) {
    return MemoryConnection.transactionOf(connection, table);
  }
}
