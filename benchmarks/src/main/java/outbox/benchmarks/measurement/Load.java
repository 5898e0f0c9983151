package outbox.benchmarks.measurement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import outbox.benchmarks.contender.Contender;

/** Producers that write in the background until the load is closed. */
final class Load implements AutoCloseable {

  static final int PRODUCERS = 8;

  private final Contender contender;
  private final AtomicLong ids;
  private final LongConsumer committed;
  private final AtomicLong written = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  private Load(Contender contender, AtomicLong ids, LongConsumer committed) {
    this.contender = contender;
    this.ids = ids;
    this.committed = committed;
  }

  /** As fast as they can. */
  static Load flatOut(Contender contender, AtomicLong ids) {
    return new Load(contender, ids, id -> {}).start(0);
  }

  /**
   * All together at this rate; {@code committed} is told of each event when its commit returned.
   */
  static Load paced(
      Contender contender, AtomicLong ids, double eventsPerSecond, LongConsumer committed) {
    return new Load(contender, ids, committed).start(PRODUCERS * 1e9 / eventsPerSecond);
  }

  /** How many are committed. */
  long written() {
    return written.get();
  }

  void goOnFor(Duration duration) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
  }

  @Override
  public void close() {
    closed = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure.get() != null) {
      throw new IllegalStateException("a producer failed", failure.get());
    }
  }

  private Load start(double pauseNanos) {
    for (int i = 0; i < PRODUCERS; i++) {
      long offset = (long) (i * pauseNanos / PRODUCERS);
      threads.add(new Thread(() -> produce(offset, pauseNanos), "producer-" + i));
    }
    threads.forEach(Thread::start);
    return this;
  }

  private void produce(long offset, double pauseNanos) {
    long start = System.nanoTime() + offset;
    try {
      for (long i = 0; !closed; i++) {
        await(start + (long) (i * pauseNanos));
        long id = ids.getAndIncrement();
        contender.write(id);
        committed.accept(id);
        written.incrementAndGet();
      }
    } catch (Exception e) {
      failure.compareAndSet(null, e);
    }
  }

  private static void await(long due) {
    long ahead = due - System.nanoTime();
    while (ahead > 0) {
      LockSupport.parkNanos(ahead);
      ahead = due - System.nanoTime();
    }
  }
}
