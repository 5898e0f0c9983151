package outbox.ordered;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import outbox.EventEnvelope;
import outbox.dispatch.QueuedEvent;
import outbox.model.EventKey;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.OrderedPage;
import outbox.spi.OrderedStore;
import outbox.util.Nullable;

/** The rows of a table in the order of their numbers, and the database's clock. */
final class TableModel {

  /** What an event is of, in turn. */
  static final List<String> TYPES = List.of("T", "U");

  private final int partitions;
  private final List<Row> rows = new ArrayList<>();
  private final Map<String, Row> byId = new HashMap<>();
  private Instant now = Instant.parse("2030-01-02T03:04:05Z");

  /** A row; it is open until its transaction has ended. */
  static final class Row {
    final long seq;
    final @Nullable EventKey key;
    final int bucket;
    final boolean isUnreadable;
    final EventEnvelope envelope;
    final String id;
    EventStatus status = EventStatus.NEW;
    Instant availableAt;
    int attempts;
    boolean isOpen;
    boolean isBlocking;

    /** How it ends when a transaction commits whose answer nobody waits for any more. */
    @Nullable EventStatus late;

    /** So ended; what was read before may be delivered once more. */
    boolean isEndedLate;

    /** Replayed when later events had gone on, so that its order is lost by an operator's will. */
    boolean isReplayedLate;

    Row(
        long seq,
        @Nullable EventKey key,
        int bucket,
        boolean isUnreadable,
        Instant availableAt,
        EventEnvelope envelope) {
      this.seq = seq;
      this.key = key;
      this.bucket = bucket;
      this.isUnreadable = isUnreadable;
      this.availableAt = availableAt;
      this.envelope = envelope;
      id = envelope.eventId();
    }

    boolean isPending() {
      return status == EventStatus.NEW || status == EventStatus.RETRY;
    }

    /** As it is now; a page keeps what it has read. */
    Row copy() {
      Row copy = new Row(seq, key, bucket, isUnreadable, availableAt, envelope);
      copy.status = status;
      copy.attempts = attempts;
      return copy;
    }

    OrderedPage.Row read() {
      OutboxEvent event =
          new OutboxEvent(
              id,
              envelope.eventType(),
              key == null ? null : key.aggregateType(),
              key == null ? null : key.aggregateId(),
              null,
              "{}",
              null,
              attempts,
              Instant.EPOCH);
      return new OrderedPage.Row(seq, bucket, event, availableAt);
    }

    Entry entry() {
      Entry.Fault fault = isUnreadable ? new Entry.Fault("unreadable", true) : null;
      QueuedEvent event = new QueuedEvent(envelope, QueuedEvent.Source.COLD, attempts);
      return new Entry(seq, event, availableAt, availableAt, fault);
    }

    @Override
    public String toString() {
      return "%d of %s (%s%s)".formatted(seq, key, status, isOpen ? ", open" : "");
    }
  }

  TableModel(int partitions) {
    this.partitions = partitions;
  }

  Clock clock() {
    return new Clock() {
      @Override
      public Instant instant() {
        return now;
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
      }
    };
  }

  Instant now() {
    return now;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  /** Without a key it is spread over the buckets. */
  Row insert(int keyNumber, boolean isKeyed, boolean isUnreadable, Duration delay) {
    long seq = rows.size() + 1L;
    EventKey key = isKeyed ? new EventKey("A", "k" + keyNumber) : null;
    int bucket = (isKeyed ? keyNumber : (int) seq) * 397 % OrderedStore.BUCKETS;
    String type = TYPES.get((int) seq % TYPES.size());
    EventEnvelope envelope = EventEnvelope.ofJson(type, "{}");
    Row row = new Row(seq, key, bucket, isUnreadable, now.plus(delay), envelope);
    rows.add(row);
    byId.put(row.id, row);
    return row;
  }

  void rollBack(Row row) {
    row.isOpen = false;
    row.status = EventStatus.DONE; // as good as gone
  }

  Row byId(String id) {
    return byId.get(id);
  }

  int partitionOf(Row row) {
    return row.bucket / (OrderedStore.BUCKETS / partitions);
  }

  /** The one at this place among those that are so; null if there are none. */
  @Nullable
  Row pick(int place, Predicate<Row> condition) {
    List<Row> found = all(condition);
    return found.isEmpty() ? null : found.get(place % found.size());
  }

  List<Row> all(Predicate<Row> condition) {
    return rows.stream().filter(condition).toList();
  }

  /** What was written before of the same aggregate. */
  List<Row> earlierOf(Row row) {
    return row.key == null
        ? List.of()
        : all(other -> row.key.equals(other.key) && other.seq < row.seq);
  }

  List<Row> pending(
      long after, long upTo, BitSet buckets, Set<EventKey> only, Set<EventKey> except, int limit) {
    return rows.stream()
        .filter(row -> row.seq > after && row.seq <= upTo)
        .filter(row -> row.isPending() && !row.isOpen)
        .filter(row -> buckets.get(row.bucket))
        .filter(row -> only.isEmpty() || (row.key != null && only.contains(row.key)))
        .filter(row -> row.key == null || !except.contains(row.key))
        .limit(limit)
        .map(Row::copy)
        .toList();
  }

  long highestPending() {
    return rows.stream()
        .filter(row -> row.isPending() && !row.isOpen)
        .mapToLong(row -> row.seq)
        .max()
        .orElse(0);
  }

  /** The lowest number up to this one whose transaction has not ended. */
  long lowestOpen(long upTo) {
    return rows.stream()
        .filter(row -> row.isOpen && row.seq <= upTo)
        .mapToLong(row -> row.seq)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  Map<EventKey, Long> openKeys(long upTo) {
    Map<EventKey, Long> open = new HashMap<>();
    rows.stream()
        .filter(row -> row.isOpen && row.seq <= upTo && row.key != null)
        .forEach(row -> open.merge(row.key, row.seq, Math::min));
    return open;
  }

  List<OrderedStore.Block> blocks() {
    return rows.stream()
        .filter(row -> row.isBlocking && row.status == EventStatus.DEAD)
        .map(row -> new OrderedStore.Block(row.key, row.id, row.seq, row.bucket))
        .toList();
  }

  List<OrderedStore.Head> heads(Collection<String> ids) {
    return ids.stream()
        .filter(byId::containsKey)
        .map(byId::get)
        .map(
            row ->
                new OrderedStore.Head(
                    row.id, row.status, row.attempts, row.availableAt, row.isBlocking))
        .toList();
  }
}
