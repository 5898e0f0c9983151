package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import outbox.internal.SqlErrors;
import outbox.util.DaemonThreadFactory;

/**
 * Writes outcomes in groups on one thread: each write takes what gathered during the one before, so
 * that an idle system adds no delay and a busy one few commits.
 *
 * <p>An event stays in flight until its outcome is written. What can't be written is tried again:
 * while the database is away, for as long as that lasts; otherwise {@value #MOST_FAILURES} times.
 */
final class Completer {

  private static final Logger LOG = System.getLogger(OutboxDispatcher.class.getName());

  static final int MOST_FAILURES = 5;

  private static final int CAPACITY = 2000;
  private static final int GROUP = 1000;
  private static final long SHORTEST_PAUSE = Duration.ofMillis(100).toNanos();
  private static final long LONGEST_PAUSE = Duration.ofSeconds(5).toNanos();

  private final StatusWriter writer;
  private final DispatchReport report;
  private final Mailbox<Completion> finished = new Mailbox<>(CAPACITY);
  private final AtomicReference<List<Completion>> renewals = new AtomicReference<>(List.of());
  private final Thread thread = new DaemonThreadFactory("outbox-completer-").newThread(this::run);

  // Used by the completer's thread only.
  private final Deque<Completion> postponed = new ArrayDeque<>();
  private long pauseNanos = SHORTEST_PAUSE;

  Completer(StatusWriter writer, DispatchReport report) {
    this.writer = writer;
    this.report = report;
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

  /** For callers whose own work must go on: while there is no room, claims are left to expire. */
  void offer(Completion completion) {
    if (!finished.offer(completion)) {
      report.leftClaimed(completion.delivery());
    }
  }

  /** Has claims renewed before anything else is written; whatever waits from earlier is dropped. */
  void renew(List<Completion> kept) {
    renewals.set(kept);
    finished.nudge();
  }

  /** For close, which waits for nobody: writes in the caller's thread. */
  void completeNow(List<Completion> completions) {
    writeInGroups(completions, this::giveUp);
  }

  /** Writes what has gathered and ends; waits for that at most this long. */
  void close(Duration timeout) {
    finished.close();
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
    writeInGroups(new ArrayList<>(postponed), this::giveUp);
  }

  private void writeNext() {
    renewClaims();
    if (postponed.isEmpty()) {
      writeInGroups(finished.takeAll(Long.MAX_VALUE), this::postpone);
    } else {
      tryAgain();
    }
  }

  /**
   * On this thread alone, so that no status is written under a claim that is just being renewed.
   */
  private void renewClaims() {
    List<Completion> kept =
        renewals.getAndSet(List.of()).stream()
            .filter(completion -> !completion.delivery().hold().isEnded())
            .toList();
    writeInGroups(kept, (completion, cause) -> report.notRenewed(completion.delivery(), cause));
  }

  private void writeInGroups(
      List<Completion> completions, BiConsumer<Completion, Throwable> unwritten) {
    for (int from = 0; from < completions.size(); from += GROUP) {
      int to = Math.min(completions.size(), from + GROUP);
      writer.write(completions.subList(from, to), unwritten);
    }
  }

  /** With too much postponed nothing more is taken, and so deliveries pause until it is written. */
  private void tryAgain() {
    List<Completion> more =
        postponed.size() < CAPACITY ? finished.takeAll(pauseNanos) : pauseAndTakeNone();
    List<Completion> again = new ArrayList<>(postponed);
    postponed.clear();
    writeInGroups(more, this::postpone);
    writeInGroups(again, this::postpone);
    pauseNanos = postponed.isEmpty() ? SHORTEST_PAUSE : Math.min(LONGEST_PAUSE, pauseNanos * 2);
  }

  private List<Completion> pauseAndTakeNone() {
    LockSupport.parkNanos(pauseNanos);
    return List.of();
  }

  private void postpone(Completion completion, Throwable cause) {
    Completion failed = completion.failedAgain();
    if (SqlErrors.isConnectionFailure(cause)) {
      report.postponed(completion, cause);
      postponed.add(completion);
    } else if (failed.failures() < MOST_FAILURES) {
      report.postponed(failed, cause);
      postponed.add(failed);
    } else {
      giveUp(failed, cause);
    }
  }

  private void giveUp(Completion completion, Throwable cause) {
    completion.givenUp();
    report.unwritten(completion, cause);
  }
}
