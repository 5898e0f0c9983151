package outbox.dispatch;

import static java.util.stream.Collectors.toSet;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import outbox.internal.SafeLogger;
import outbox.internal.SqlErrors;
import outbox.spi.Claim;
import outbox.util.DaemonThreadFactory;
import outbox.util.Nullable;

/**
 * Writes outcomes in groups on one thread: each write takes what gathered during the one before, so
 * that an idle system adds no delay and a busy one few commits. When several gathered, more are on
 * their way, and a moment's patience makes one commit of many, unless somebody waits for it: the
 * next event of an aggregate, or a worker whose try has to count before it begins.
 *
 * <p>An event stays in flight until its outcome is written. What can't be written is tried again:
 * while the database can't write at all, for as long as that lasts; otherwise {@value
 * #MOST_FAILURES} times, and then, if nobody else would deliver the event, once a minute. The
 * longer it lasts, the smaller are the groups, so that a row which somebody else keeps locked holds
 * up few others, where the store can't tell which one that is.
 */
final class Completer {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  static final int MOST_FAILURES = 5;

  private static final int CAPACITY = 2000;
  private static final int GROUP = 1000;

  /** What could not be written is tried again in groups of this size, and then of half of it. */
  private static final int CAREFUL_GROUP = 100;

  private static final int SMALLEST_GROUP = 10;

  /** From so many in one write on, outcomes come faster than they are written one by one. */
  private static final int BUSY = 4;

  /** So many are worth a commit. */
  private static final int ENOUGH = 100;

  private static final long PATIENCE = Duration.ofMillis(15).toNanos();
  private static final long SHORTEST_PAUSE = Duration.ofMillis(100).toNanos();
  private static final long LONGEST_PAUSE = Duration.ofSeconds(5).toNanos();

  /** Locks end any moment, and asking for them is cheap. */
  private static final long LONGEST_PAUSE_BEHIND_LOCKS = Duration.ofSeconds(1).toNanos();

  private final StatusWriter writer;
  private final DispatchReport report;
  private final Mailbox<Completion> finished = new Mailbox<>(CAPACITY);
  private final AtomicReference<List<Completion>> renewals = new AtomicReference<>(List.of());
  private final ReentrantLock renewing = new ReentrantLock();
  private final Thread thread = new DaemonThreadFactory("outbox-completer-").newThread(this::run);
  private volatile @Nullable Long writingSinceNanos;

  // Used by the completer's thread only.
  private final Deque<Completion> taken = new ArrayDeque<>();
  private final Deque<Completion> postponed = new ArrayDeque<>();
  private final Refusals refusals;
  private long pauseNanos = SHORTEST_PAUSE;
  private long tryAgainNanos;
  private int group = GROUP;
  private int lastGathered;

  /**
   * @param keptBytes how much of the events may be kept in memory whose statuses are refused
   */
  Completer(StatusWriter writer, DispatchReport report, long keptBytes) {
    this.writer = writer;
    this.report = report;
    refusals = new Refusals(keptBytes, System::nanoTime);
  }

  void start() {
    thread.start();
  }

  /** Waits for room. After close the caller writes by itself: better late than twice. */
  void complete(Completion completion) {
    if (!finished.put(completion)) {
      writer.write(List.of(completion), this::giveUp);
    }
  }

  /** For threads that must not wait; workers, which begin no more before there is room, do. */
  void completeAtOnce(Completion completion) {
    if (!finished.add(completion)) {
      writer.write(List.of(completion), this::giveUp);
    }
  }

  /** Waits until {@link #complete} would not have to. */
  void awaitRoom() {
    finished.awaitRoom();
  }

  /**
   * For callers whose own work must go on: while there is no room, claims are left to expire. After
   * close nobody else is there to give them back, so the caller does it.
   */
  void offer(List<Completion> released) {
    List<Completion> refused =
        released.stream().filter(completion -> !finished.offer(completion)).toList();
    if (!refused.isEmpty() && finished.isClosed()) {
      writer.write(refused, (completion, cause) -> report.leftClaimed(completion.delivery()));
    } else {
      refused.forEach(completion -> report.leftClaimed(completion.delivery()));
    }
  }

  /**
   * Whether one write has been under way for so long that a claim as old as it should have been
   * renewed, which nothing can be until the write ends: whatever is claimed now may be lost.
   */
  boolean isTooSlowFor(Claim claim) {
    Long since = writingSinceNanos;
    return since != null && claim.isOld(System.nanoTime() - since);
  }

  /** Has claims renewed before anything else is written; whatever waits from earlier is dropped. */
  void renew(List<Completion> kept) {
    renewals.set(kept);
    finished.nudge();
  }

  /**
   * For close: writes in the caller's thread. Waits for a renewal under way, if that ends soon,
   * because what it renews can't be given back under the claim it had before.
   */
  void completeNow(List<Completion> completions, Duration patience) {
    if (completions.isEmpty()) {
      return;
    }
    renewals.set(List.of());
    boolean isQuiet = lockRenewals(patience);
    try {
      writeLast(completions);
    } finally {
      if (isQuiet) {
        renewing.unlock();
      }
    }
  }

  private boolean lockRenewals(Duration patience) {
    try {
      return renewing.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return renewing.tryLock();
    }
  }

  /** Writes what has gathered and ends; waits for that at most this long. */
  void close(Duration timeout) {
    finished.close();
    LockSupport.unpark(thread);
    try {
      thread.join(Math.max(1, timeout.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!finished.isClosedAndEmpty()) {
      try {
        writeNext();
      } catch (Throwable e) {
        LOG.log(Level.ERROR, "completer failed and goes on", e);
      }
    }
    taken.addAll(postponed);
    taken.addAll(refusals.all());
    writeLast(new ArrayList<>(taken));
  }

  private void writeNext() {
    renewClaims();
    boolean isRecovering = !postponed.isEmpty();
    taken.addAll(isRecovering ? takeUntilNextTry() : gather(refusals.untilNextNanos()));
    writeInGroups(taken, GROUP);
    writeInGroups(refusals.due(), GROUP);
    if (isRecovering && System.nanoTime() - tryAgainNanos >= 0) {
      tryAgain();
    } else if (!isRecovering && !postponed.isEmpty()) {
      group = CAREFUL_GROUP;
      tryAgainNanos = System.nanoTime() + pauseNanos;
    }
  }

  private List<Completion> gather(long maxWaitNanos) {
    if (lastGathered >= BUSY) {
      finished.awaitValues(ENOUGH, Math.min(PATIENCE, maxWaitNanos));
    }
    List<Completion> gathered = finished.takeAll(taken.isEmpty() ? maxWaitNanos : 0);
    boolean isAwaited = gathered.stream().anyMatch(Completion::isAwaited);
    lastGathered = isAwaited ? 0 : gathered.size();
    return gathered;
  }

  /** With too much postponed nothing more is taken, and so deliveries pause until it is written. */
  private List<Completion> takeUntilNextTry() {
    long pause = Math.max(0, tryAgainNanos - System.nanoTime());
    if (postponed.size() < CAPACITY || finished.isClosed()) {
      return gather(pause);
    }
    LockSupport.parkNanos(pause);
    return List.of();
  }

  private void tryAgain() {
    writeInGroups(postponed, group);
    boolean isRecovered = postponed.isEmpty();
    group = isRecovered ? GROUP : Math.max(SMALLEST_GROUP, group / 2);
    long longest = writer.isWary() ? LONGEST_PAUSE_BEHIND_LOCKS : LONGEST_PAUSE;
    pauseNanos = isRecovered ? SHORTEST_PAUSE : Math.min(longest, pauseNanos * 2);
    tryAgainNanos = System.nanoTime() + pauseNanos;
  }

  /**
   * On this thread alone, so that no status is written under a claim that is just being renewed.
   * What waits to be written needs no renewal, and may be what can't be written now.
   */
  private void renewClaims() {
    renewing.lock();
    try {
      renew();
    } finally {
      renewing.unlock();
    }
  }

  private void renew() {
    List<Completion> asked = renewals.getAndSet(List.of());
    if (asked.isEmpty()) {
      return;
    }
    Set<String> unwritten =
        postponed.stream().map(waiting -> waiting.delivery().eventId()).collect(toSet());
    List<Completion> kept =
        asked.stream()
            .filter(completion -> !completion.delivery().hold().isEnded())
            .filter(completion -> !unwritten.contains(completion.delivery().eventId()))
            .toList();
    for (List<Completion> part : parts(kept, GROUP)) {
      write(part, this::notRenewed);
    }
  }

  private void notRenewed(Completion completion, Throwable cause) {
    completion.unanswered();
    report.notRenewed(completion.delivery(), cause);
  }

  /** Each group may take its time, so that claims are renewed between them. */
  private void writeInGroups(Deque<Completion> waiting, int size) {
    for (int left = waiting.size(); left > 0; left -= size) {
      renewClaims();
      write(removeFirst(waiting, Math.min(left, size)), this::postpone);
    }
  }

  private static List<Completion> removeFirst(Deque<Completion> waiting, int count) {
    List<Completion> first = new ArrayList<>(count);
    while (first.size() < count) {
      first.add(waiting.removeFirst());
    }
    return first;
  }

  private void write(List<Completion> part, BiConsumer<Completion, Throwable> unwritten) {
    writingSinceNanos = System.nanoTime();
    try {
      writer.write(part, unwritten);
    } finally {
      writingSinceNanos = null;
    }
  }

  /** Once the database turns out to be away, the rest is given up untried. */
  private void writeLast(List<Completion> completions) {
    List<Completion> unwritten = new ArrayList<>();
    AtomicReference<@Nullable Throwable> reason = new AtomicReference<>();
    for (List<Completion> part : parts(completions, GROUP)) {
      Throwable cause = reason.get();
      if (cause != null && SqlErrors.isPassing(cause) && !SqlErrors.isLockTimeout(cause)) {
        unwritten.addAll(part);
      } else {
        writer.write(
            part,
            (completion, failure) -> {
              unwritten.add(completion);
              reason.set(failure);
            });
      }
    }
    giveUp(unwritten, reason.get());
  }

  private static List<List<Completion>> parts(List<Completion> completions, int size) {
    List<List<Completion>> parts = new ArrayList<>();
    for (int from = 0; from < completions.size(); from += size) {
      parts.add(completions.subList(from, Math.min(completions.size(), from + size)));
    }
    return parts;
  }

  private void postpone(Completion completion, Throwable cause) {
    Completion failed = completion.failedAgain();
    if (SqlErrors.isPassing(cause)) {
      postponed.add(completion);
      report.postponed(completion, cause);
    } else if (failed.failures() < MOST_FAILURES) {
      postponed.add(failed);
      report.postponed(failed, cause);
    } else if (refusals.keep(failed)) {
      report.refused(failed, failed.failures() == MOST_FAILURES, cause);
    } else {
      giveUp(failed, cause);
    }
  }

  private void giveUp(Completion completion, Throwable cause) {
    giveUp(List.of(completion), cause);
  }

  private void giveUp(List<Completion> completions, @Nullable Throwable cause) {
    completions.forEach(Completion::givenUp);
    if (!completions.isEmpty()) {
      report.unwritten(completions, cause);
    }
  }
}
