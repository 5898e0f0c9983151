package outbox.ordered;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.DatabaseClock;
import outbox.util.Nullable;

/**
 * Decides what each lane does next: hands its first event over, has it wait until it is due, or has
 * it read again. Keeps count of what is in memory.
 *
 * <p>Guarded by the lock of {@link Lanes}, but for {@link #turnOf}.
 */
final class Flow {

  private static final Duration LONG_WAIT = Duration.ofSeconds(1);
  private static final Duration LONG_DELIVERY = Duration.ofSeconds(5);

  /** How often to look whether those that stand by may go on. */
  private static final Duration STANDBY_PAUSE = Duration.ofMillis(500);

  private final Lanes lanes;
  private final Map<Object, Lane> byId;
  private final Holdings holdings;
  private final Clock clock;
  private final HeldUp heldUp;
  private final Deque<Lane> ready = new ArrayDeque<>();
  private final Refills refills;
  private final Waits waits = new Waits();
  private final Standby standby = new Standby(System::nanoTime);
  private final ConcurrentMap<String, Turn> turns = new ConcurrentHashMap<>();
  private final List<Turn> faulty = new ArrayList<>();
  private final Deque<Lane> suspects = new ArrayDeque<>();
  private @Nullable Turn suspect;
  private long suspectNanos;
  private @Nullable OutboxDispatcher dispatcher;
  private Runnable wake = () -> {};
  private int events;
  private long bytes;

  Flow(
      Lanes lanes,
      Map<Object, Lane> byId,
      Holdings holdings,
      Refills refills,
      Clock clock,
      HeldUp heldUp) {
    this.lanes = lanes;
    this.byId = byId;
    this.holdings = holdings;
    this.refills = refills;
    this.clock = clock;
    this.heldUp = heldUp;
  }

  void start(OutboxDispatcher delivering, Runnable reader) {
    dispatcher = delivering;
    wake = reader;
  }

  void stop() {
    dispatcher = null;
  }

  /** Has the reader look for events. */
  void wakeReader() {
    wake.run();
  }

  int events() {
    return events;
  }

  long bytes() {
    return bytes;
  }

  Refills refills() {
    return refills;
  }

  void deliverDue() {
    waits.takeDue(now()).forEach(this::goOn);
    handOver();
  }

  Duration untilNextDue(Duration atMost) {
    boolean isSooner = !standby.isEmpty() && STANDBY_PAUSE.compareTo(atMost) < 0;
    return waits.untilNext(now(), isSooner ? STANDBY_PAUSE : atMost);
  }

  /**
   * The next lanes that have to be read again, some that stood by among them.
   *
   * @param isRoomy whether there is room for more of those that have something in memory
   */
  @Nullable
  Refill nextRefill(long settled, long upTo, boolean isRoomy) {
    standby.release(heldUp).forEach(this::advance);
    Refill refill = refills.next(isRoomy ? underWay() : List.of(), settled, upTo);
    if (refill != null) {
      refill.lanes().forEach(Lane::isAskedFor);
    }
    return refill;
  }

  private List<Lane> underWay() {
    return Stream.concat(turns.values().stream().map(Turn::lane), ready.stream()).toList();
  }

  /** The turn of an event by its id; null if it is not in the dispatcher's hands. */
  @Nullable
  Turn turnOf(String eventId) {
    return turns.get(eventId);
  }

  List<Turn> takeFaulty() {
    List<Turn> taken = List.copyOf(faulty);
    faulty.clear();
    return taken;
  }

  /** The event is out of the dispatcher's hands. */
  void end(Turn turn) {
    turns.remove(turn.entry().eventId(), turn);
    suspect = suspect == turn ? null : suspect;
    holdings.ended(turn.lane().partition());
    letGo(List.of(turn.entry()));
    if (standby.remove(turn.lane())) {
      wake.run();
    }
    turn.lane().stop();
  }

  void put(Lane lane, Entry entry) {
    lane.add(entry);
    events++;
    bytes += entry.bytes();
    Entry head = lane.head();
    if (head != null && head.seq() == entry.seq()) {
      waitNoMore(lane);
    }
  }

  /** Decides what the lane does next; call it whenever something has changed in it. */
  void advance(Lane lane) {
    if (!lane.isAtRest()) {
      return;
    }
    Entry head = lane.head();
    if (lane.isIdle()) {
      standby.remove(lane);
      byId.remove(lane.id(), lane);
    } else if (head == null || !lane.hasNext()) {
      letGo(lane.forget());
      refills.add(lane);
      wake.run();
    } else if (head.dueAt().isAfter(now())) {
      standby.remove(lane);
      waitFor(lane, Lane.Wait.until(head));
      if (isLong(lane.waiting())) {
        forget(lane); // by then somebody may have decided about it
      }
    } else {
      lane.ready(true);
      ready.add(lane);
    }
  }

  /** An earlier event of the aggregate may still be on its way. */
  void waitForOpen(Lane lane, String eventId) {
    if (lane.isStandingBy()) {
      waitNoMore(lane);
    }
    if (lane.head() == null && lane.isAtRest()) {
      waitFor(lane, now().plus(Frontier.MOMENT), eventId);
    }
  }

  void waitFor(Lane lane, Instant until, String eventId) {
    waitFor(lane, Lane.Wait.until(until, eventId));
  }

  private void waitFor(Lane lane, Lane.Wait wait) {
    if (waits.add(lane, wait)) {
      wake.run();
    }
  }

  /** What it waited for is due; what is held up needs not be read for that. */
  private void goOn(Lane lane) {
    Lane.Wait over = lane.waiting();
    lane.waitFor(null);
    HeldUp.Kind kind = over == null ? null : over.kind();
    if (over != null && kind != null && lane.head() == null && heldUp.contains(kind)) {
      standBy(lane, over.forListener(), kind);
    } else {
      advance(lane);
    }
  }

  /** What it waited for is not its next event any more. */
  private void waitNoMore(Lane lane) {
    if (lane.isStandingBy()) {
      standby.remove(lane);
    }
    lane.waitFor(null);
  }

  /** Hands over what may go and finds room. */
  void handOver() {
    OutboxDispatcher delivering = dispatcher;
    if (delivering == null) {
      return;
    }
    for (Lane lane = next(); lane != null; lane = next()) {
      lane.ready(false);
      Entry head = lane.head();
      boolean isNext = lane.isAtRest() && lane.hasNext();
      if (!isNext || head == null || head.dueAt().isAfter(now())) {
        advance(lane);
      } else if (head.fault() == null && heldUp.contains(HeldUp.Kind.of(head))) {
        standBy(lane, Lane.Wait.forListener(head), HeldUp.Kind.of(head));
      } else if (lane.isSuspect() && isSuspectUnderWay()) {
        lane.ready(true);
        suspects.add(lane);
      } else if (!handOver(lane, head, delivering)) {
        lane.ready(true);
        ready.addLast(lane);
        return;
      }
    }
  }

  /**
   * What may have killed the last owner is delivered one after the other: if it kills this process,
   * too, no other of them is taken for it.
   */
  private @Nullable Lane next() {
    return suspects.isEmpty() || isSuspectUnderWay() ? ready.poll() : suspects.poll();
  }

  /** One that takes long holds up the others no longer. */
  private boolean isSuspectUnderWay() {
    return suspect != null && System.nanoTime() - suspectNanos < LONG_DELIVERY.toNanos();
  }

  /** Whoever reads has to look after it from now on. */
  private void standBy(Lane lane, Lane.Wait wait, HeldUp.Kind kind) {
    boolean isFirst = standby.isEmpty();
    forget(lane);
    lane.waitFor(wait);
    standby.add(lane, kind);
    if (isFirst) {
      wake.run();
    }
  }

  /** False without room. An event that this node still has under an old session comes later. */
  private boolean handOver(Lane lane, Entry head, OutboxDispatcher delivering) {
    Holdings.Partition partition = holdings.get(lane.partition());
    if (partition == null) {
      return true;
    }
    Turn turn = new Turn(lanes, lane, head, partition.session());
    if (turns.putIfAbsent(head.eventId(), turn) != null) {
      waitFor(lane, now().plus(Frontier.MOMENT), head.eventId());
      return true;
    }
    if (head.fault() != null) {
      faulty.add(turn);
      wake.run();
    } else if (!delivering.enqueueFollowed(head.event(), turn, lane.isSuspect())) {
      turns.remove(head.eventId(), turn);
      return false;
    }
    if (lane.isSuspect()) {
      suspect = turn;
      suspectNanos = System.nanoTime();
    }
    lane.start();
    holdings.started(lane.partition());
    return true;
  }

  /** Whether it is long enough for an operator to decide otherwise. */
  boolean isLong(Lane.@Nullable Wait wait) {
    return wait != null && wait.until().isAfter(now().plus(LONG_WAIT));
  }

  /** Forgets what the lane has in memory; it is read again. */
  void forget(Lane lane) {
    standby.remove(lane);
    letGo(lane.forget());
  }

  /** Everything that was stamped anywhere as due has come. */
  Instant now() {
    return DatabaseClock.latest(clock);
  }

  private void letGo(List<Entry> entries) {
    events -= entries.size();
    entries.forEach(entry -> bytes -= entry.bytes());
  }
}
