package outbox.jdbc.ordered;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Threads that write at a steady rate: for one to three aggregates at a time, some after a while,
 * and some in vain.
 */
final class Writers implements AutoCloseable {

  private static final int THREADS = 4;
  private static final Duration LONGEST_DELAY = Duration.ofMillis(50);

  private final Aggregates aggregates;
  private final List<String> keys;
  private final int events;
  private final long nanosPerEvent;
  private final long startNanos = System.nanoTime();
  private final AtomicInteger written = new AtomicInteger();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Future<?>> running;
  private volatile boolean isStopped;

  Writers(Aggregates aggregates, List<String> keys, int events, Duration duration) {
    this.aggregates = aggregates;
    this.keys = keys;
    this.events = events;
    nanosPerEvent = duration.toNanos() / events;
    running =
        IntStream.range(0, THREADS)
            .<Future<?>>mapToObj(i -> threads.submit(() -> run(new SplittableRandom(i))))
            .toList();
  }

  boolean isDone() {
    return running.stream().allMatch(Future::isDone);
  }

  /** Writes no more, however few were written. */
  void stop() {
    isStopped = true;
  }

  void await() throws InterruptedException, ExecutionException {
    for (Future<?> writer : running) {
      writer.get();
    }
  }

  private Void run(SplittableRandom random) throws SQLException {
    while (!isStopped && written.get() < events) {
      write(random);
      long due = startNanos + written.get() * nanosPerEvent;
      LockSupport.parkNanos(due - System.nanoTime());
    }
    return null;
  }

  private void write(SplittableRandom random) throws SQLException {
    List<String> chosen = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      String key = keys.get(random.nextInt(keys.size()));
      if (!chosen.contains(key)) {
        chosen.add(key);
      }
    }
    int count = 1 + random.nextInt(2);
    if (aggregates.write(chosen, count, () -> commits(random))) {
      written.addAndGet(chosen.size() * count);
    }
  }

  private static boolean commits(SplittableRandom random) {
    if (random.nextInt(20) == 0) {
      LockSupport.parkNanos(random.nextLong(LONGEST_DELAY.toNanos()));
    }
    return random.nextInt(10) > 0;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
