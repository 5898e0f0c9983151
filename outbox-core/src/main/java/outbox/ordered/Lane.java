package outbox.ordered;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import outbox.model.EventKey;
import outbox.spi.OrderedStore;
import outbox.util.Nullable;

/**
 * The events of one aggregate, as far as they are in memory, in the order of their numbers; an
 * event without aggregate has a lane of its own. One of them is being delivered at a time.
 *
 * <p>What there is no room for is not in memory: then {@link #missingFrom} is the lowest number
 * that may be missing, and nothing above it is taken in until it has been read again.
 *
 * <p>Guarded by the lock of {@link Lanes}.
 */
final class Lane {

  /** A long row of events waits in the database, where it costs nothing. */
  static final int MOST_ENTRIES = 100;

  private static final long NOTHING = Long.MAX_VALUE;

  /** A lane is worth being passed over by the database once it was in the way this often. */
  private static final int IN_THE_WAY = 100;

  private final Object id;
  private final @Nullable EventKey key;
  private final int partition;
  private final List<Entry> entries = new ArrayList<>(1);
  private @Nullable Entry running;
  private @Nullable Block block;
  private @Nullable Wait wait;
  private long missingFrom = NOTHING;
  private long askedFrom = NOTHING;
  private long unseenAfter = NOTHING;
  private Set<Long> doubted = Set.of();
  private int passedOver;
  private boolean isReady;
  private boolean isSuspect;
  private boolean isUnsure;
  private boolean isClosed;

  /** The dead event that nothing goes on behind, its partition, and since when that is so. */
  record Block(String eventId, long seq, int partition, long sinceNanos) {}

  /**
   * Until when the event has to wait.
   *
   * @param dueAt when it is due as far as is known here
   * @param kind null if not even that is known of it
   */
  record Wait(Instant until, String eventId, Instant dueAt, HeldUp.@Nullable Kind kind) {

    /** Databases keep microseconds. */
    private static final Duration SAME_TIME = Duration.ofMillis(1);

    /** Whether it is not the time that the event waits for. */
    boolean isForListener() {
      return until.equals(Instant.MAX);
    }

    /** For the event to be due. */
    static Wait until(Entry due) {
      HeldUp.Kind kind = due.fault() == null ? HeldUp.Kind.of(due) : null;
      return new Wait(due.dueAt(), due.eventId(), due.dueAt(), kind);
    }

    /** Likewise, for one that may turn out to be another. */
    static Wait until(Instant time, String eventId) {
      return new Wait(time, eventId, time, null);
    }

    /** For somebody who takes it. */
    static Wait forListener(Entry due) {
      return new Wait(Instant.MAX, due.eventId(), due.dueAt(), HeldUp.Kind.of(due));
    }

    /** Likewise, now that it is due. */
    Wait forListener() {
      return new Wait(Instant.MAX, eventId, dueAt, kind);
    }

    /**
     * Whether somebody has decided about the event, as it stands now; null if it is gone. A dead
     * one that blocks is nobody's decision; what blocks is read by itself, and soon.
     */
    boolean isDecided(OrderedStore.@Nullable Head head) {
      if (head == null) {
        return true;
      }
      return head.isPending() ? head.availableAt().plus(SAME_TIME).isBefore(dueAt) : !head.blocks();
    }
  }

  Lane(Object id, @Nullable EventKey key, int partition) {
    this.id = id;
    this.key = key;
    this.partition = partition;
  }

  Object id() {
    return id;
  }

  @Nullable
  EventKey key() {
    return key;
  }

  int partition() {
    return partition;
  }

  /** True if the event is to be kept in memory now; the rest is found again by its number. */
  boolean takes(long seq) {
    if (seq >= missingFrom) {
      passedOver++;
      return false;
    }
    if (block != null || (entries.size() >= MOST_ENTRIES && seq > lastSeq())) {
      passedOver++;
      missingFrom = seq;
      return false;
    }
    return true;
  }

  boolean has(long seq) {
    if (running != null && running.seq() == seq) {
      return true;
    }
    for (int i = entries.size() - 1; i >= 0 && entries.get(i).seq() >= seq; i--) {
      if (entries.get(i).seq() == seq) {
        return true;
      }
    }
    return false;
  }

  /** In its place: what was committed late may come before others. */
  void add(Entry entry) {
    int place = entries.size();
    while (place > 0 && entries.get(place - 1).seq() > entry.seq()) {
      place--;
    }
    entries.add(place, entry);
  }

  @Nullable
  Entry head() {
    return entries.isEmpty() ? null : entries.get(0);
  }

  /** The head is being delivered from now on. */
  Entry start() {
    Entry started = entries.remove(0);
    running = started;
    isSuspect = false;
    doubted = without(started.seq());
    return started;
  }

  void stop() {
    running = null;
  }

  /** Forgets what waits in memory, to be read again; returns it. */
  List<Entry> forget() {
    List<Entry> forgotten = List.copyOf(entries);
    entries.clear();
    if (!forgotten.isEmpty()) {
      missesFrom(forgotten.get(0).seq());
    }
    return forgotten;
  }

  void missesFrom(long seq) {
    missingFrom = Math.min(missingFrom, seq);
  }

  /** All up to here is in memory, or has ended. */
  void isComplete() {
    missingFrom = NOTHING;
    unseenAfter = NOTHING;
    passedOver = 0;
  }

  /** Nobody here knows what becomes of the event, so that it is read again. */
  void doubts(long seq) {
    Set<Long> more = new HashSet<>(doubted);
    more.add(seq);
    doubted = more;
    missesFrom(seq);
  }

  /**
   * Whether an event whose end nobody knows has ended, as everything has been read up to here and
   * these are what is pending. Asked once.
   */
  boolean isDoubtfulAfter(List<Entry> pending, long readUpTo) {
    if (doubted.isEmpty()) {
      return false;
    }
    Set<Long> left = new HashSet<>(doubted);
    left.removeIf(
        seq -> seq <= readUpTo && pending.stream().noneMatch(entry -> entry.seq() == seq));
    boolean anyHasEnded = left.size() < doubted.size();
    doubted = left;
    return anyHasEnded;
  }

  /** Nobody sees what is committed above this number, because the aggregate is passed over. */
  void isUnseenAfter(long settled) {
    unseenAfter = Math.min(unseenAfter, settled);
  }

  /** What was committed late while the aggregate was passed over comes before what is missing. */
  void missesUnseen() {
    if (unseenAfter != NOTHING) {
      missesFrom(unseenAfter + 1);
    }
  }

  boolean isMissingSome() {
    return missingFrom != NOTHING;
  }

  /** Whether the next event to deliver is in memory. */
  boolean hasNext() {
    Entry head = head();
    return head != null && head.seq() < missingFrom;
  }

  /** Whether something is missing that could be delivered. */
  boolean isToBeRefilled() {
    return !isClosed && isMissingSome() && block == null;
  }

  /** Likewise, and nothing else is open, so that it can be read while an event is delivered. */
  boolean isReadAlong() {
    return isToBeRefilled()
        && key != null
        && wait == null
        && unseenAfter == NOTHING
        && doubted.isEmpty()
        && entries.size() < MOST_ENTRIES;
  }

  /** What it misses now is about to be read. */
  void isAskedFor() {
    askedFrom = missingFrom;
  }

  /** Whether what was read still holds: since then these have ended, and more may be missing. */
  boolean isUntouched(List<Entry> pending, Set<Long> ended) {
    return missingFrom == askedFrom
        && pending.stream().noneMatch(entry -> ended.contains(entry.seq()))
        && doubted.stream().noneMatch(ended::contains);
  }

  long missingFrom() {
    return missingFrom;
  }

  boolean isInTheWay() {
    return key != null && isMissingSome() && passedOver >= IN_THE_WAY;
  }

  void block(Block by) {
    block = by;
    wait = null;
  }

  /** The dead event may have become a new one, and is read again with those behind it. */
  void unblock() {
    if (block != null) {
      missesFrom(block.seq());
      block = null;
    }
  }

  @Nullable
  Block block() {
    return block;
  }

  void waitFor(@Nullable Wait next) {
    wait = next;
  }

  @Nullable
  Wait waiting() {
    return wait;
  }

  /** Whether its next event waits for its listener. */
  boolean isStandingBy() {
    return wait != null && wait.isForListener();
  }

  /** Whether nothing is decided about what it does next. */
  boolean isAtRest() {
    return !isClosed && running == null && block == null && wait == null && !isReady && !isUnsure;
  }

  void ready(boolean ready) {
    isReady = ready;
  }

  /** Whether it has to be known first what blocks. */
  void unsure(boolean unsure) {
    isUnsure = unsure;
  }

  /** Whether the first event may have killed the process that had it before. */
  boolean isSuspect() {
    return isSuspect;
  }

  void suspect(boolean suspect) {
    isSuspect = suspect;
  }

  /** The partition is not ours any more; what is being delivered ends by itself. */
  void close() {
    isClosed = true;
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Whether there is nothing to remember. */
  boolean isIdle() {
    return running == null && entries.isEmpty() && block == null && !isMissingSome();
  }

  private Set<Long> without(long seq) {
    if (!doubted.contains(seq)) {
      return doubted;
    }
    Set<Long> left = new HashSet<>(doubted);
    left.remove(seq);
    return left;
  }

  private long lastSeq() {
    return entries.get(entries.size() - 1).seq();
  }
}
