package outbox.dispatch;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import outbox.EventListener;

/**
 * Bounds how many events are under way asynchronously, and keeps any one listener from taking all
 * slots. While others are about, a listener gets more only as long as it then has no more than what
 * is left free: of 256 slots, two busy listeners get 85 each, and one that hangs beside others 128
 * at most. Alone it may have all but an eighth, so that whoever comes next finds a place. One that
 * has never answered gets a quarter, unless nobody else comes.
 *
 * <p>What finds no slot waits without keeping a worker, in line behind whatever else waits for its
 * listener. When slots come back, the lines are called in turn. Whoever is called has its slot
 * already, so that no call is in vain, whatever becomes of the called: after each change, nobody
 * waits who may have a slot.
 */
final class AsyncSlots {

  private static final int PARTS = 8;

  /** Of the slots, for one that has never answered: it may never do so. */
  private static final int PARTS_OF_UNPROVEN = 4;

  /** Whoever else is busy has come by then. */
  private static final Duration SOON = Duration.ofMillis(100);

  /** Where a registry makes a listener per call, they are of no use. */
  private static final int MOST_HABITS = 100;

  private final FairQueue queue;
  private final int total;
  private final LongSupplier nanoTime;

  /** Of those that have slots or wait, by identity: a registry may make a listener per call. */
  private final IdentityHashMap<EventListener, Line> lines = new IdentityHashMap<>();

  /** Of those that have answered and are idle now; all are forgotten if they become many. */
  private final IdentityHashMap<EventListener, Habit> habits = new IdentityHashMap<>();

  /** The lines in which something waits, the next one first. */
  private final Deque<Line> turns = new ArrayDeque<>();

  /** What is queued again with a slot in its hands. */
  private final IdentityHashMap<Work, Line> called = new IdentityHashMap<>();

  private int used;
  private long returned;
  private boolean drained;

  /**
   * A listener that something waits for.
   *
   * @param idle for how long it has given nothing back, unless it often takes about as long
   * @param full for how long it has had enough, again and again
   */
  record Stall(EventListener listener, Duration idle, Duration full) {

    boolean lasts(Duration atLeast) {
      return length().compareTo(atLeast) >= 0;
    }

    Duration length() {
      return idle.compareTo(full) > 0 ? idle : full;
    }
  }

  AsyncSlots(FairQueue queue, int total, LongSupplier nanoTime) {
    this.queue = queue;
    this.total = total;
    this.nanoTime = nanoTime;
  }

  /**
   * Returns how many slots the listener gets, up to as many as wanted; without one, the work waits.
   * Negative if everything that waits was taken out already.
   */
  synchronized int take(EventListener listener, int wanted, Work work) {
    if (drained) {
      return -1;
    }
    Line line = lineOf(listener);
    int inHand = called.remove(work) == null ? 0 : 1;
    int more = Math.max(0, Math.min(wanted - inHand, room(line)));
    grant(line, more);
    if (inHand + more == 0 && wanted > 0) {
      await(line, work);
    }
    forgetIfIdle(line);
    return inHand + more;
  }

  /** How often slots were given back; to be asked before a listener is asked how much it takes. */
  synchronized long returned() {
    return returned;
  }

  /**
   * The listener itself takes nothing more. It is asked again when slots come back, not only its
   * own, because others may have what it lacks, or when a moment has passed.
   *
   * @param before what {@link #returned} was before it said so
   */
  synchronized void hold(EventListener listener, Work work, long before) {
    if (!drained) {
      Line line = lineOf(listener);
      line.isFullAt(nanoTime.getAsLong());
      await(line, work);
      forgo(work);
      if (returned != before) {
        askAgain();
      }
    }
  }

  /** The moment is over: listeners that took nothing more are asked again. */
  synchronized void askAgain() {
    turns.forEach(line -> line.isFull = false);
    callWaiting();
  }

  /** The listener has dealt with so many events, and it took so long. */
  synchronized void answered(EventListener listener, int slots, Duration took) {
    Line line = lines.get(listener);
    if (line != null) {
      line.habit.learn(took.toNanos(), nanoTime.getAsLong());
    }
    giveBack(listener, slots);
  }

  /** The listener is done with so many events, but has not said so itself. */
  synchronized void giveBack(EventListener listener, int slots) {
    Line line = lines.get(listener);
    returned++;
    turns.forEach(each -> each.isFull = false);
    if (line != null) {
      line.sinceNanos = nanoTime.getAsLong();
      release(line, slots);
    }
  }

  /** The process has just stood still: that nothing came back meanwhile is nobody's fault. */
  synchronized void stoodStill() {
    long now = nanoTime.getAsLong();
    lines.values().forEach(line -> line.sinceNanos = now);
  }

  /** The listener never got to see the events that these slots were for. */
  synchronized void leave(EventListener listener, int slots) {
    Line line = lines.get(listener);
    if (line != null) {
      release(line, slots);
    }
  }

  /** Nobody comes for the slot that this may have in its hands. */
  synchronized void forgo(Work work) {
    Line line = called.remove(work);
    if (line != null) {
      release(line, 1);
    }
  }

  /** The listeners that something waits for and that have got nowhere for at least this long. */
  synchronized List<Stall> stalls(Duration atLeast) {
    long now = nanoTime.getAsLong();
    return turns.stream()
        .map(line -> line.stall(now))
        .filter(stall -> stall.lasts(atLeast))
        .toList();
  }

  /**
   * Whether the listener may have no more, and has got nowhere for at least this long; not so long
   * if it has never answered.
   */
  synchronized boolean isStuck(EventListener listener, Duration atLeast) {
    Line line = lines.get(listener);
    if (line == null) {
      return false;
    }
    Stall stall = line.stall(nanoTime.getAsLong());
    boolean mayHaveMore = room(line) > 0 && stall.full().compareTo(atLeast) < 0;
    return !mayHaveMore && stall.idle().compareTo(line.habit.isKnown() ? atLeast : SOON) >= 0;
  }

  /** Takes out those of the single events that wait for this listener. */
  synchronized List<Delivery> takeOut(EventListener listener, Predicate<Delivery> which) {
    Line line = lines.get(listener);
    if (line == null) {
      return List.of();
    }
    List<Delivery> out = takeOut(line, which);
    if (line.waiting.isEmpty()) {
      turns.remove(line);
      line.isFull = false;
    }
    forgetIfIdle(line);
    callWaiting();
    return out;
  }

  /** Takes out the events that wait for a slot, for good. */
  synchronized List<Delivery> drain() {
    drained = true;
    for (Line line : called.values()) {
      line.held--;
      used--;
    }
    called.clear();
    List<Delivery> left = new ArrayList<>();
    for (Line line : List.copyOf(lines.values())) {
      left.addAll(takeOut(line, single -> true));
      line.waiting.clear(); // batches, whose events are others' to give
      forgetIfIdle(line);
    }
    turns.clear();
    notifyAll();
    return left;
  }

  /** Waits until nothing is under way any more, or until the deadline. */
  synchronized void awaitIdle(long deadlineNanos) {
    try {
      for (long left; used > 0 && (left = deadlineNanos - System.nanoTime()) > 0; ) {
        long millis = left / 1_000_000;
        wait(millis, (int) (left % 1_000_000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many listeners have slots or wait for some. */
  synchronized int listeners() {
    return lines.size();
  }

  /** How many more slots a listener may have now. */
  private int room(Line line) {
    if (line.isFull) {
      return 0;
    }
    if (lines.size() == 1) {
      return mostOf(line) - line.held;
    }
    int free = total - used;
    int share = Math.min((free - line.held) / 2, mostOf(line) - line.held);
    return Math.max(share, line.held == 0 ? Math.min(1, free) : 0);
  }

  /** How many slots a listener may have at all. */
  private int mostOf(Line line) {
    boolean isTrusted = line.habit.isKnown() || total < PARTS || isAloneForLong(line);
    return isTrusted ? total - total / PARTS : total / PARTS_OF_UNPROVEN;
  }

  /** One that hangs may be alone because the others' events don't get past its own. */
  private boolean isAloneForLong(Line line) {
    return !line.hasCompany && nanoTime.getAsLong() - line.sinceNanos >= SOON.toNanos();
  }

  private Line lineOf(EventListener listener) {
    Line line = lines.get(listener);
    if (line == null) {
      Habit known = habits.remove(listener);
      line = new Line(listener, known == null ? new Habit() : known, nanoTime.getAsLong());
      lines.put(listener, line);
      if (lines.size() > 1) {
        lines.values().forEach(each -> each.hasCompany = true);
      }
    }
    return line;
  }

  private void grant(Line line, int slots) {
    if (line.held == 0 && slots > 0) {
      line.sinceNanos = nanoTime.getAsLong();
    }
    line.held += slots;
    used += slots;
  }

  private void await(Line line, Work work) {
    if (line.waiting.isEmpty()) {
      turns.addLast(line);
    }
    line.waiting.addLast(work);
    Delivery single = work.delivery();
    if (single != null) {
      queue.park(single);
    }
  }

  private void release(Line line, int slots) {
    line.held -= slots;
    used -= slots;
    forgetIfIdle(line);
    callWaiting();
    notifyAll();
  }

  /** One slot for each line that may have one, round after round. */
  private void callWaiting() {
    for (int passed = 0; used < total && passed < turns.size(); ) {
      Line line = turns.removeFirst();
      boolean isCalled = room(line) > 0;
      if (isCalled) {
        call(line);
      }
      if (!line.waiting.isEmpty()) {
        turns.addLast(line);
      }
      passed = isCalled ? 0 : passed + 1;
    }
  }

  private void call(Line line) {
    Work work = line.waiting.removeFirst();
    grant(line, 1);
    called.put(work, line);
    if (work instanceof Gathering gathering) {
      queue.lineUp(gathering);
    } else {
      queue.resume(work);
    }
  }

  private List<Delivery> takeOut(Line line, Predicate<Delivery> which) {
    List<Delivery> out = new ArrayList<>();
    line.waiting.removeIf(
        work -> {
          Delivery single = work.delivery();
          return single != null && which.test(single) && out.add(single);
        });
    queue.unpark(out);
    return out;
  }

  private void forgetIfIdle(Line line) {
    if (!line.isIdle()) {
      return;
    }
    lines.remove(line.listener);
    if (line.habit.isKnown()) {
      if (habits.size() == MOST_HABITS) {
        habits.clear();
      }
      habits.put(line.listener, line.habit);
    }
  }
}
