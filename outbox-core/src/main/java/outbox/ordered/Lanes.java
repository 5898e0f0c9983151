package outbox.ordered;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.DatabaseClock;
import outbox.model.EventKey;
import outbox.spi.OrderedPage;
import outbox.spi.OrderedStore;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/**
 * The queues of a node, one per aggregate: of each, one event at a time is in the dispatcher's
 * hands, and the next only after the status of the one before is written. Different aggregates
 * don't wait for each other.
 *
 * <p>Memory is bounded by the number and the bytes of events. What finds no room, or waits for
 * later while room is short, is left to the database and read again when its turn comes; an
 * aggregate that waits costs no more than a note of it.
 *
 * <p>Safe for all threads.
 */
final class Lanes {

  /** How many aggregates are noted at most before nothing more is read. */
  static final int MOST_LANES = 100_000;

  /** How many events of a partition count their try at its start after its last owner died. */
  private static final int SUSPECTS = 100;

  private static final int MOST_PER_REFILL = 100;
  private static final int MOST_PASSED_OVER = 50;
  private static final Duration LONG_WAIT = Duration.ofSeconds(1);
  private static final Duration UNWRITTEN_PAUSE = Duration.ofSeconds(1);

  private final LaneSettings settings;
  private final Clock clock;
  private final Map<Object, Lane> lanes = new HashMap<>();
  private final Deque<Lane> ready = new ArrayDeque<>();
  private final Set<Lane> refills = new LinkedHashSet<>();
  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparing(Waiting::until));
  private final ConcurrentMap<String, Turn> turns = new ConcurrentHashMap<>();
  private final Map<EventKey, Lane.Block> blocks = new HashMap<>();
  private final List<Turn> faulty = new ArrayList<>();
  private final Set<Long> endedDuringRead = new HashSet<>();
  private final Map<Integer, Partition> partitions = new HashMap<>();
  private final Map<Integer, Integer> turnsPerPartition = new HashMap<>();
  private @Nullable OutboxDispatcher dispatcher;
  private Runnable wake = () -> {};
  private boolean isShort;
  private long gains;
  private int events;
  private long bytes;

  /** A lane that has to wait, unless it was woken since. */
  private record Waiting(Instant until, Lane lane) {}

  /** A partition that this node delivers. */
  private static final class Partition {
    private final Session session;
    private final long epoch;
    private final long gain;
    private int suspects;

    Partition(Session session, long epoch, long gain, int suspects) {
      this.session = session;
      this.epoch = epoch;
      this.gain = gain;
      this.suspects = suspects;
    }
  }

  /** The buckets to read, after so many partitions were gained. */
  record Share(BitSet buckets, long gains) {}

  Lanes(LaneSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  /** From now on events go to this dispatcher, and whoever reads them is woken by this. */
  synchronized void start(OutboxDispatcher delivering, Runnable reader) {
    dispatcher = delivering;
    wake = reader;
  }

  /** Nothing more is handed over. */
  synchronized void stop() {
    dispatcher = null;
  }

  synchronized void own(Session session, int partition, long epoch, boolean takenOver) {
    partitions.put(partition, new Partition(session, epoch, ++gains, takenOver ? SUSPECTS : 0));
    wake.run();
  }

  /** Nothing more of the partition is handed over; what is under way ends by itself. */
  synchronized void disown(int partition) {
    partitions.remove(partition);
    List<Lane> left =
        lanes.values().stream().filter(lane -> lane.partition() == partition).toList();
    left.forEach(this::drop);
  }

  /** Likewise for all of them: the session is over. */
  synchronized void disownAll() {
    List.copyOf(partitions.keySet()).forEach(this::disown);
  }

  synchronized boolean isDrained(int partition) {
    return !turnsPerPartition.containsKey(partition);
  }

  /** Whether nothing at all is under way. */
  synchronized boolean isDrained() {
    return turnsPerPartition.isEmpty();
  }

  synchronized Share share() {
    BitSet buckets = new BitSet(OrderedStore.BUCKETS);
    int width = settings.bucketsPerPartition();
    partitions.keySet().forEach(p -> buckets.set(p * width, (p + 1) * width));
    return new Share(buckets, gains);
  }

  /** The epoch that an event of this bucket is delivered in; null if it is others'. */
  synchronized @Nullable Long epochOf(int bucket) {
    Partition partition = partitions.get(settings.partitionOf(bucket));
    return partition == null ? null : partition.epoch;
  }

  /** From now on what is read may have ended before it is taken in. */
  synchronized void readStarts() {
    endedDuringRead.clear();
  }

  /** Whether an event, read for this share, is wanted in memory now; then it is worth decoding. */
  synchronized boolean wants(OrderedPage.Row row, Share share) {
    Lane lane = laneOf(row, share);
    return lane != null && !lane.has(row.seq()) && lane.takes(row.seq());
  }

  /** Takes in an event if it is wanted now. */
  synchronized void add(OrderedPage.Row row, Entry entry, Share share) {
    Lane lane = laneOf(row, share);
    if (lane != null && !lane.has(row.seq()) && lane.takes(row.seq())) {
      put(lane, entry);
      advance(lane);
    }
  }

  /** Leaves an event in the database for a moment, if it is wanted. */
  synchronized void leave(OrderedPage.Row row, Share share) {
    Lane lane = laneOf(row, share);
    if (lane != null && !lane.has(row.seq())) {
      lane.missesFrom(row.seq());
      if (lane.head() == null && !lane.isRunning() && lane.waiting() == null) {
        waitFor(lane, now().plus(Frontier.MOMENT), row.event().eventId());
      }
    }
  }

  /**
   * Null if the event has ended since it was read, or is others'. What is read on the way through a
   * partition that was gained anew meanwhile is left out, too: its earlier events are not here.
   */
  private @Nullable Lane laneOf(OrderedPage.Row row, Share share) {
    int number = settings.partitionOf(row.bucket());
    Partition partition = partitions.get(number);
    if (endedDuringRead.contains(row.seq())
        || partition == null
        || partition.gain > share.gains()) {
      return null;
    }
    EventKey key = settings.keyOf(row.event());
    return lanes.computeIfAbsent(idOf(row), id -> newLane(id, key, number, partition));
  }

  /** What the lane of an event is known by. */
  Object idOf(OrderedPage.Row row) {
    EventKey key = settings.keyOf(row.event());
    return key == null ? row.event().eventId() : key;
  }

  /** How many events are in memory. */
  synchronized int events() {
    return events;
  }

  /** Hands over what may go and finds room; call it after taking in. */
  synchronized void deliver() {
    Instant now = now();
    for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
      if (next.until().isAfter(now)) {
        break;
      }
      waiting.poll();
      Lane lane = next.lane();
      Lane.Wait wait = lane.waiting();
      if (wait != null && wait.until().equals(next.until())) {
        lane.waitFor(null);
        advance(lane);
      }
    }
    handOver();
  }

  /** How long until an event falls due that waits here. */
  synchronized Duration untilNextDue(Duration atMost) {
    Waiting next = waiting.peek();
    if (next == null) {
      return atMost;
    }
    Duration left = Duration.between(now(), next.until());
    return left.compareTo(atMost) < 0 ? left : atMost;
  }

  /** How many more events may be read; none rather than a few: then the reader is woken later. */
  synchronized int room(int wanted) {
    int least = Math.min(wanted, settings.capacity() / 4);
    if (roomLeft() < least) {
      shed();
    }
    isShort = roomLeft() < least;
    return isShort ? 0 : Math.min(roomLeft(), wanted);
  }

  synchronized long roomInBytes() {
    return Math.max(0, settings.mostBytes() - bytes);
  }

  /** Aggregates with long rows of events that can't be delivered now. */
  synchronized Set<EventKey> passedOver() {
    return lanes.values().stream()
        .filter(Lane::isInTheWay)
        .sorted(Comparator.comparing(Lane::passedOver).reversed())
        .limit(MOST_PASSED_OVER)
        .map(Lane::key)
        .collect(Collectors.toSet());
  }

  /**
   * The next lanes that have to be read again; null if there are none.
   *
   * @param settled below it nothing can be committed any more
   */
  synchronized @Nullable Refill nextRefill(long settled, long upTo) {
    List<Lane> asked = new ArrayList<>();
    for (Lane lane : List.copyOf(refills)) {
      if (asked.size() == MOST_PER_REFILL) {
        break;
      }
      refills.remove(lane);
      if (lane.isClosed() || !lane.isMissingSome() || lane.block() != null) {
        continue;
      }
      if (lane.key() == null) {
        if (asked.isEmpty()) {
          return Refill.of(lane);
        }
        refills.add(lane);
      } else {
        asked.add(lane);
      }
    }
    return asked.isEmpty() ? null : Refill.of(asked, settled, upTo);
  }

  /** The refill came too early. */
  synchronized void refillLater(Refill refill) {
    refill.lanes().forEach(this::advance);
  }

  /**
   * What a refill has read.
   *
   * @param readUpTo everything up to here
   * @param entries of each lane, in order
   * @param open where an event of the aggregate may still be on its way
   */
  synchronized void refilled(
      Refill refill, long readUpTo, Map<Object, List<Entry>> entries, Map<EventKey, Long> open) {
    Long none = Long.MAX_VALUE;
    for (Lane lane : refill.lanes()) {
      if (!lane.isClosed() && lane.block() == null && lane.missingFrom() <= readUpTo) {
        lane.isComplete();
        if (readUpTo < refill.upTo()) {
          lane.missesFrom(readUpTo + 1);
        }
        long firstOpen = lane.key() == null ? none : open.getOrDefault(lane.key(), none);
        refill(lane, entries.getOrDefault(lane.id(), List.of()), firstOpen);
      }
      advance(lane);
    }
    handOver();
  }

  private void refill(Lane lane, List<Entry> entries, long firstOpen) {
    for (Entry entry : entries) {
      if (entry.seq() > firstOpen) {
        lane.missesFrom(entry.seq());
        if (lane.head() == null) {
          waitFor(lane, now().plus(Frontier.MOMENT), entry.eventId());
        }
        return;
      }
      if (!lane.has(entry.seq()) && lane.takes(entry.seq())) {
        put(lane, entry);
      }
    }
  }

  /** The turn of an event by its id; null if it is not in the dispatcher's hands. */
  @Nullable
  Turn turnOf(String eventId) {
    return turns.get(eventId);
  }

  /** Events whose rows can't be read and whose turn it is; they are the caller's to end. */
  synchronized List<Turn> takeFaulty() {
    List<Turn> taken = List.copyOf(faulty);
    faulty.clear();
    return taken;
  }

  /** The event is out of the dispatcher's hands, and the next may come. */
  synchronized void ended(Turn turn, @Nullable Outcome written) {
    Lane lane = turn.lane();
    Entry entry = turn.entry();
    turns.remove(entry.eventId(), turn);
    turnsPerPartition.computeIfPresent(
        lane.partition(), (partition, count) -> count == 1 ? null : count - 1);
    events--;
    bytes -= entry.bytes();
    endedDuringRead.add(entry.seq());
    lane.stop();
    if (!lane.isClosed()) {
      goOn(lane, entry, written);
      advance(lane);
    }
    handOver();
    if (isShort && roomLeft() > settings.capacity() / 2) {
      isShort = false;
      wake.run();
    }
  }

  /** Events that wait for long; somebody may have decided about them meanwhile. */
  synchronized List<String> waitingForLong(int limit) {
    Instant soon = now().plus(LONG_WAIT);
    return lanes.values().stream()
        .map(Lane::waiting)
        .filter(wait -> wait != null && wait.until().isAfter(soon))
        .limit(limit)
        .map(Lane.Wait::eventId)
        .toList();
  }

  /** How events stand that waited for long. */
  synchronized void decided(Collection<String> asked, List<OrderedStore.Head> heads) {
    Map<String, OrderedStore.Head> byId =
        heads.stream().collect(Collectors.toMap(OrderedStore.Head::eventId, head -> head));
    for (Lane lane : List.copyOf(lanes.values())) {
      Lane.Wait wait = lane.waiting();
      if (wait != null && asked.contains(wait.eventId())) {
        OrderedStore.Head head = byId.get(wait.eventId());
        if (head == null || !head.isPending() || head.availableAt().isBefore(wait.until())) {
          readAgain(lane);
        }
      }
    }
    handOver();
  }

  /**
   * What blocks aggregates, as it was read after this moment. Returns the events that block no
   * more.
   */
  synchronized List<String> blocked(List<OrderedStore.Block> now, long readNanos) {
    Map<EventKey, String> current =
        now.stream()
            .collect(
                Collectors.toMap(
                    OrderedStore.Block::key, OrderedStore.Block::eventId, (one, other) -> one));
    List<String> over = new ArrayList<>();
    for (Map.Entry<EventKey, Lane.Block> known : List.copyOf(blocks.entrySet())) {
      Lane.Block block = known.getValue();
      if (!current.containsKey(known.getKey()) && block.sinceNanos() - readNanos < 0) {
        over.add(block.eventId());
        unblock(known.getKey());
      }
    }
    current.forEach(
        (key, eventId) -> blocks.computeIfAbsent(key, k -> new Lane.Block(eventId, 0, readNanos)));
    lanes.values().forEach(this::blockIfKnown);
    handOver();
    return over;
  }

  private void blockIfKnown(Lane lane) {
    EventKey key = lane.key();
    Lane.Block block = key == null ? null : blocks.get(key);
    if (block != null && lane.block() == null) {
      block(lane, block);
    }
  }

  private Lane newLane(Object id, @Nullable EventKey key, int number, Partition partition) {
    Lane lane = new Lane(id, key, number);
    Lane.Block block = key == null ? null : blocks.get(key);
    if (block != null) {
      lane.block(block);
    }
    if (partition.suspects > 0) {
      partition.suspects--;
      lane.suspect();
    }
    return lane;
  }

  private void goOn(Lane lane, Entry entry, @Nullable Outcome written) {
    if (written instanceof Outcome.Retry retry) {
      put(lane, entry.again(retry.attempts(), retry.nextAt()));
    } else if (written instanceof Outcome.Deferred deferred) {
      put(lane, entry.again(deferred.attempts(), deferred.nextAt()));
    } else if (written instanceof Outcome.Dead) {
      bury(lane, entry);
    } else if (!(written instanceof Outcome.Delivered)) {
      lane.missesFrom(entry.seq());
      letGo(lane.forget());
      waitFor(lane, now().plus(UNWRITTEN_PAUSE), entry.eventId());
    }
  }

  private void bury(Lane lane, Entry entry) {
    EventKey key = lane.key();
    if (key != null && settings.onDead() == OnDead.BLOCK_KEY) {
      Lane.Block block = new Lane.Block(entry.eventId(), entry.seq(), System.nanoTime());
      blocks.put(key, block);
      block(lane, block);
    }
  }

  private void put(Lane lane, Entry entry) {
    lane.add(entry);
    events++;
    bytes += entry.bytes();
    Entry head = lane.head();
    if (head != null && head.seq() == entry.seq()) {
      lane.waitFor(null);
    }
  }

  private void advance(Lane lane) {
    if (lane.isClosed() || lane.isRunning() || lane.isReady() || lane.block() != null) {
      return;
    }
    if (lane.waiting() != null) {
      return;
    }
    Entry head = lane.head();
    if (lane.isIdle()) {
      lanes.remove(lane.id(), lane);
    } else if (head == null || !lane.hasNext()) {
      refills.add(lane);
      wake.run();
    } else if (head.dueAt().isAfter(now())) {
      waitFor(lane, head.dueAt(), head.eventId());
    } else {
      lane.ready(true);
      ready.add(lane);
    }
  }

  private void waitFor(Lane lane, Instant until, String eventId) {
    lane.waitFor(new Lane.Wait(until, eventId));
    Waiting first = waiting.peek();
    waiting.add(new Waiting(until, lane));
    if (first == null || until.isBefore(first.until())) {
      wake.run();
    }
  }

  private void handOver() {
    OutboxDispatcher delivering = dispatcher;
    while (delivering != null && !ready.isEmpty()) {
      Lane lane = ready.removeFirst();
      lane.ready(false);
      if (mayGo(lane) && !handOver(lane, delivering)) {
        lane.ready(true);
        ready.addLast(lane);
        return;
      }
    }
  }

  private boolean mayGo(Lane lane) {
    Entry head = lane.head();
    if (lane.isClosed() || lane.isRunning() || lane.block() != null || head == null) {
      return false;
    }
    if (!lane.hasNext() || head.dueAt().isAfter(now())) {
      advance(lane);
      return false;
    }
    return true;
  }

  /** False without room. An event that this node still has under an old session comes later. */
  private boolean handOver(Lane lane, OutboxDispatcher delivering) {
    Entry head = lane.head();
    Partition partition = partitions.get(lane.partition());
    if (head == null || partition == null) {
      return true;
    }
    Turn turn = new Turn(this, lane, head, partition.session);
    if (turns.putIfAbsent(head.eventId(), turn) != null) {
      waitFor(lane, now().plus(Frontier.MOMENT), head.eventId());
      return true;
    }
    boolean isSuspect = lane.isSuspect();
    if (head.fault() != null) {
      faulty.add(turn);
      wake.run();
    } else if (!delivering.enqueueFollowed(head.event(), turn, isSuspect)) {
      turns.remove(head.eventId(), turn);
      return false;
    }
    lane.start();
    turnsPerPartition.merge(lane.partition(), 1, Integer::sum);
    return true;
  }

  private void block(Lane lane, Lane.Block block) {
    letGo(lane.forget());
    lane.block(block);
  }

  private void unblock(EventKey key) {
    blocks.remove(key);
    Lane lane = lanes.get(key);
    if (lane != null) {
      lane.unblock();
      advance(lane);
    }
  }

  private void readAgain(Lane lane) {
    lane.waitFor(null);
    letGo(lane.forget());
    advance(lane);
  }

  /** Everything that was stamped anywhere as due has come. */
  private Instant now() {
    return DatabaseClock.latest(clock);
  }

  private int roomLeft() {
    return lanes.size() >= MOST_LANES ? 0 : Math.max(0, settings.capacity() - events);
  }

  /** Leaves what waits for long to the database. */
  private void shed() {
    Instant soon = now().plus(LONG_WAIT);
    for (Lane lane : lanes.values()) {
      Lane.Wait wait = lane.waiting();
      if (wait != null && wait.until().isAfter(soon)) {
        letGo(lane.forget());
      }
    }
  }

  private void drop(Lane lane) {
    lanes.remove(lane.id(), lane);
    refills.remove(lane);
    lane.close();
    letGo(lane.forget());
  }

  private void letGo(List<Entry> entries) {
    events -= entries.size();
    entries.forEach(entry -> bytes -= entry.bytes());
  }
}
