package outbox.ordered;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import outbox.dispatch.OutboxDispatcher;
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

  /** How many aggregates a statement is told to pass over. */
  private static final int MOST_PASSED_OVER = 50;

  /** What waits longer and has no aggregate is left to the sweep, if many wait. */
  private static final Duration VERY_LONG = Duration.ofSeconds(30);

  /** How long a database that didn't write a status is left alone with the aggregate. */
  private static final Duration UNWRITTEN_PAUSE = Duration.ofSeconds(5);

  private final LaneSettings settings;
  private final Map<Object, Lane> lanes = new HashMap<>();
  private final Holdings holdings;
  private final Flow flow;
  private final Blocks blocks;
  private final Set<Lane> inTheWay = new LinkedHashSet<>();
  private final Set<Long> endedDuringRead = new HashSet<>();
  private boolean isShort;
  private int asked;

  Lanes(LaneSettings settings, Clock clock, HeldUp heldUp) {
    this.settings = settings;
    holdings = new Holdings(settings);
    flow = new Flow(this, lanes, holdings, new Refills(settings.mostKeys()), clock, heldUp);
    blocks = new Blocks(settings, lanes, holdings, flow);
  }

  /** From now on events go to this dispatcher, and whoever reads them is woken by this. */
  synchronized void start(OutboxDispatcher delivering, Runnable reader) {
    flow.start(delivering, reader);
  }

  /** Nothing more is handed over. */
  synchronized void stop() {
    flow.stop();
  }

  synchronized void own(Session session, int partition, long epoch, boolean takenOver) {
    holdings.add(session, partition, epoch, takenOver);
    blocks.holdLanes();
    flow.wakeReader();
  }

  /** Nothing more of the partition is handed over; what is under way ends by itself. */
  synchronized void disown(int partition) {
    holdings.remove(partition);
    lanes.values().stream()
        .filter(lane -> lane.partition() == partition)
        .toList()
        .forEach(this::drop);
  }

  /** Likewise for all of them: the session is over. */
  synchronized void disownAll() {
    holdings.all().forEach(this::disown);
  }

  synchronized Set<Integer> owned() {
    return holdings.all();
  }

  synchronized boolean isDrained(int partition) {
    return holdings.isDrained(partition);
  }

  /** Whether nothing at all is under way. */
  synchronized boolean isDrained() {
    return holdings.isDrained();
  }

  synchronized Holdings.Share share() {
    return holdings.share();
  }

  /** The epoch that an event is delivered in; null if it is others'. */
  synchronized @Nullable Long epochOf(OrderedPage.Row row, Holdings.Share share) {
    Holdings.Partition partition = holdings.of(row.bucket(), share);
    return partition == null ? null : partition.epoch();
  }

  /** From now on what is read may have ended before it is taken in. */
  synchronized void readStarts() {
    endedDuringRead.clear();
  }

  /** Whether an event, read for this share, is wanted in memory now; then it is worth decoding. */
  synchronized boolean wants(OrderedPage.Row row, Holdings.Share share) {
    Lane lane = laneOf(row, share);
    return lane != null && !lane.has(row.seq()) && takes(lane, row.seq());
  }

  /** Takes in an event if it is wanted now. */
  synchronized void add(OrderedPage.Row row, Entry entry, Holdings.Share share) {
    Lane lane = laneOf(row, share);
    if (lane != null && !lane.has(row.seq()) && takes(lane, row.seq())) {
      flow.put(lane, entry);
      flow.advance(lane);
    }
  }

  /** Leaves an event in the database for a moment, if it is wanted. */
  synchronized void leave(OrderedPage.Row row, Holdings.Share share) {
    Lane lane = laneOf(row, share);
    if (lane != null && !lane.has(row.seq())) {
      lane.missesFrom(row.seq());
      flow.waitForOpen(lane, row.event().eventId());
    }
  }

  /** What the lane of an event is known by. */
  Object idOf(OrderedPage.Row row) {
    EventKey key = settings.keyOf(row.event());
    return key == null ? row.event().eventId() : key;
  }

  /** How many events are in memory. */
  synchronized int events() {
    return flow.events();
  }

  /** Hands over what may go and finds room; call it after taking in. */
  synchronized void deliver() {
    flow.deliverDue();
  }

  /** How long until an event falls due that waits here. */
  synchronized Duration untilNextDue(Duration atMost) {
    return flow.untilNextDue(atMost);
  }

  /** How many more events may be read; none rather than a few: then the reader is woken later. */
  synchronized int room(int wanted) {
    int least = Math.min(wanted, settings.capacity() / 4);
    if (roomLeft() < least) {
      shed();
    }
    isShort = roomLeft() < least || roomInBytes() == 0;
    return isShort ? 0 : Math.min(roomLeft(), wanted);
  }

  /** Whether nothing more may be read at all before something ends. */
  synchronized boolean isFull() {
    boolean isOver = flow.events() >= settings.capacity() || roomInBytes() == 0;
    boolean isFull = isOver && flow.events() > 0;
    isShort |= isFull;
    return isFull;
  }

  synchronized long roomInBytes() {
    return Math.max(0, settings.mostBytes() - flow.bytes());
  }

  /** Aggregates with long rows of events that can't be delivered now; late ones are above this. */
  synchronized Set<EventKey> passedOver(long settled) {
    inTheWay.removeIf(lane -> !lane.isInTheWay());
    List<Lane> lanes = inTheWay.stream().limit(MOST_PASSED_OVER).toList();
    lanes.forEach(lane -> lane.isUnseenAfter(settled));
    return lanes.stream().map(Lane::key).filter(Objects::nonNull).collect(Collectors.toSet());
  }

  /**
   * The next lanes that have to be read again; null if there are none.
   *
   * @param settled below it nothing can be committed any more
   */
  synchronized @Nullable Refill nextRefill(long settled, long upTo) {
    return flow.nextRefill(settled, upTo, roomLeft() > settings.capacity() / 2);
  }

  /**
   * What a refill has read, which is everything up to {@code readUpTo}.
   *
   * @param entries of each lane, in order
   * @param open where an event of an aggregate may still be on its way
   */
  synchronized void refilled(
      Refill refill, long readUpTo, Map<Object, List<Entry>> entries, Map<EventKey, Long> open) {
    for (Lane lane : refill.reached(readUpTo)) {
      flow.refills().remove(lane);
      List<Entry> pending = entries.getOrDefault(lane.id(), List.of());
      boolean isCovered = lane.missingFrom() > refill.after() && lane.missingFrom() <= readUpTo;
      boolean isCurrent = lane.isUntouched(pending, endedDuringRead);
      if (lane.isToBeRefilled() && isCovered && isCurrent) {
        lane.isComplete();
        if (readUpTo < refill.upTo()) {
          lane.missesFrom(readUpTo + 1);
        }
        EventKey key = lane.key();
        Long firstOpen = key == null ? null : open.get(key);
        if (lane.isDoubtfulAfter(pending, readUpTo)) {
          blocks.doubt(lane);
        }
        refill(lane, pending, firstOpen);
      }
      flow.advance(lane);
    }
    flow.handOver();
  }

  /** The turn of an event by its id; null if it is not in the dispatcher's hands. */
  @Nullable
  Turn turnOf(String eventId) {
    return flow.turnOf(eventId);
  }

  /** Events whose rows can't be read and whose turn it is; they are the caller's to end. */
  synchronized List<Turn> takeFaulty() {
    return flow.takeFaulty();
  }

  /** The event is out of the dispatcher's hands, and the next may come. */
  synchronized void ended(Turn turn, @Nullable Outcome written) {
    Lane lane = turn.lane();
    Entry entry = turn.entry();
    flow.end(turn);
    if (!lane.isClosed() || hasEnded(written)) {
      endedDuringRead.add(entry.seq());
    }
    if (!lane.isClosed()) {
      goOn(turn, written);
      flow.advance(lane);
    }
    flow.handOver();
    boolean isRoomy =
        roomLeft() > settings.capacity() / 2 && flow.bytes() <= settings.mostBytes() / 2;
    if (isShort && isRoomy) {
      isShort = false;
      flow.wakeReader();
    }
  }

  /** Events that wait for long, in turn; somebody may have decided about them meanwhile. */
  synchronized List<String> waitingForLong(int limit) {
    List<String> waiting = longWaits().skip(asked).limit(limit).map(Lane.Wait::eventId).toList();
    asked = waiting.size() < limit ? 0 : asked + limit;
    return waiting;
  }

  /** How events stand that waited for long. */
  synchronized void decided(Set<String> asked, List<OrderedStore.Head> heads) {
    Map<String, OrderedStore.Head> byId =
        heads.stream().collect(Collectors.toMap(OrderedStore.Head::eventId, head -> head));
    for (Lane lane : List.copyOf(lanes.values())) {
      Lane.Wait wait = lane.waiting();
      if (wait != null
          && asked.contains(wait.eventId())
          && wait.isDecided(byId.get(wait.eventId()))) {
        lane.waitFor(null);
        flow.forget(lane);
        flow.advance(lane);
      }
    }
    flow.handOver();
  }

  /** What blocks aggregates, as it was read after this moment. */
  synchronized void blocked(List<OrderedStore.Block> read, long readNanos) {
    blocks.update(read, readNanos);
    flow.handOver();
  }

  /** Whether an aggregate waits until it is known what blocks. */
  synchronized boolean mayLackBlocks() {
    return blocks.mayBeMore();
  }

  /** Null if the event has ended since it was read, or is others'. */
  private @Nullable Lane laneOf(OrderedPage.Row row, Holdings.Share share) {
    Holdings.Partition partition = holdings.of(row.bucket(), share);
    return partition == null || endedDuringRead.contains(row.seq()) || isLeftToSweep(row)
        ? null
        : lanes.computeIfAbsent(idOf(row), id -> newLane(id, row, partition));
  }

  private boolean isLeftToSweep(OrderedPage.Row row) {
    return lanes.size() > MOST_LANES / 2
        && settings.keyOf(row.event()) == null
        && row.availableAt().isAfter(flow.now().plus(VERY_LONG));
  }

  private Lane newLane(Object id, OrderedPage.Row row, Holdings.Partition partition) {
    EventKey key = settings.keyOf(row.event());
    Lane lane = new Lane(id, key, settings.partitionOf(row.bucket()));
    if (partition.takeSuspect()) {
      lane.suspect(true);
    }
    return lane;
  }

  private boolean takes(Lane lane, long seq) {
    boolean takes = lane.takes(seq);
    if (lane.isInTheWay()) {
      inTheWay.add(lane);
    }
    return takes;
  }

  private void refill(Lane lane, List<Entry> entries, @Nullable Long firstOpen) {
    for (Entry entry : entries) {
      if (firstOpen != null && entry.seq() > firstOpen) {
        break;
      }
      if (!lane.has(entry.seq()) && takes(lane, entry.seq())) {
        flow.put(lane, entry);
      }
    }
    if (firstOpen != null) {
      lane.missesFrom(firstOpen);
      flow.waitForOpen(lane, "");
    }
  }

  private static boolean hasEnded(@Nullable Outcome written) {
    return written instanceof Outcome.Delivered || written instanceof Outcome.Dead;
  }

  private void goOn(Turn turn, @Nullable Outcome written) {
    Lane lane = turn.lane();
    Entry entry = turn.entry();
    if (written instanceof Outcome.Retry retry) {
      flow.put(lane, entry.again(retry.attempts(), retry.nextAt()));
    } else if (written instanceof Outcome.Deferred deferred) {
      flow.put(lane, entry.again(deferred.attempts(), deferred.nextAt()));
    } else if (written instanceof Outcome.Dead) {
      blocks.add(lane, entry);
    } else if (!(written instanceof Outcome.Delivered)) {
      lane.doubts(entry.seq());
      lane.suspect(turn.isSuspect());
      flow.forget(lane);
      flow.waitFor(lane, flow.now().plus(UNWRITTEN_PAUSE), entry.eventId());
    }
  }

  private Stream<Lane.Wait> longWaits() {
    return lanes.values().stream().map(Lane::waiting).filter(flow::isLong);
  }

  private int roomLeft() {
    return lanes.size() - blocks.size() >= MOST_LANES
        ? 0
        : Math.max(0, settings.capacity() - flow.events());
  }

  /** Events without aggregate hold up nobody, so that nothing has to be noted of them. */
  private void shed() {
    Instant far = flow.now().plus(VERY_LONG);
    boolean areMany = lanes.size() > MOST_LANES / 2;
    lanes.values().stream()
        .filter(lane -> lane.key() == null && (areMany || !lane.isStandingBy()))
        .filter(lane -> lane.waiting() != null && lane.waiting().until().isAfter(far))
        .toList()
        .forEach(this::drop);
  }

  private void drop(Lane lane) {
    lanes.remove(lane.id(), lane);
    inTheWay.remove(lane); // or its aggregate would be passed over when it is ours again
    flow.refills().remove(lane);
    blocks.forget(lane);
    lane.close();
    flow.forget(lane);
  }
}
