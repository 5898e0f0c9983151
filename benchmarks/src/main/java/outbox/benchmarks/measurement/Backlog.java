package outbox.benchmarks.measurement;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import outbox.benchmarks.contender.Contender;

/** Events that wait in the database, and the time it takes to work them off. */
final class Backlog {

  private static final int FILLERS = 4;
  private static final long GLANCE_NANOS = 2_000_000;

  /**
   * What was not completed at some moment. That is when the question was put, not when the answer
   * came: counting rows takes a while, and longer the more nodes are at work.
   */
  record Rest(long events, long nanos) {

    static Rest of(Contender contender) throws SQLException {
      long asked = System.nanoTime();
      return new Rest(contender.pending(), asked);
    }

    /** Of so many events, as many as were completed, by the time that took. */
    double completedPerSecond(long all, long startNanos) {
      return (all - events) * 1e9 / (nanos - startNanos);
    }
  }

  private Backlog() {}

  /** Commits the events {@code from} until {@code to}. */
  @FunctionalInterface
  interface Filler {
    void fill(long from, long to) throws Exception;
  }

  /** Commits events from several threads. */
  static void fill(Contender contender, long from, long to) throws Exception {
    fill(contender::fill, from, to);
  }

  static void fill(Filler filler, long from, long to) throws Exception {
    ExecutorService fillers = Executors.newFixedThreadPool(FILLERS);
    try {
      List<Future<?>> parts = new ArrayList<>();
      long part = Math.max(1, (to - from + FILLERS - 1) / FILLERS);
      for (long start = from; start < to; start += part) {
        long first = start;
        long end = Math.min(to, start + part);
        parts.add(
            fillers.submit(
                () -> {
                  filler.fill(first, end);
                  return null;
                }));
      }
      for (Future<?> filling : parts) {
        filling.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the backlog could not be written", e.getCause());
    } finally {
      fillers.shutdownNow();
    }
  }

  /** Starts the contender and returns the events it completed per second. */
  static double drain(Contender contender, long events, Duration patience) throws Exception {
    LongAdder delivered = new LongAdder();
    long starting = System.nanoTime();
    contender.start(id -> delivered.increment());
    // Some take seconds to start, and some deliver before they say that they have.
    long early = delivered.sum();
    long started = System.nanoTime();
    Rest rest = awaitCompleted(contender, delivered, events, patience);
    return early < events
        ? rest.completedPerSecond(events - early, started)
        : rest.completedPerSecond(events, starting);
  }

  /** Waits until all are delivered and completed, or that took too long. */
  static Rest awaitCompleted(
      Contender contender, LongAdder delivered, long events, Duration patience)
      throws SQLException {
    long deadline = System.nanoTime() + patience.toNanos();
    awaitDelivered(delivered, events, deadline);
    Rest rest = Rest.of(contender);
    while (rest.events() > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(GLANCE_NANOS);
      rest = Rest.of(contender);
    }
    return rest;
  }

  /** Waits without asking the database anything. */
  static void awaitDelivered(LongAdder delivered, long events, long deadline) {
    while (delivered.sum() < events && System.nanoTime() < deadline) {
      LockSupport.parkNanos(GLANCE_NANOS);
    }
  }
}
