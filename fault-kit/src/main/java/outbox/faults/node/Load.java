package outbox.faults.node;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that write at a steady rate: for one to three keys at a time, some after a while, some in
 * vain. A transaction that fails is not repeated; the next one comes after a moment.
 */
final class Load {

  private static final int THREADS = 4;
  private static final Duration LONGEST_DELAY = Duration.ofMillis(50);
  private static final Duration AFTER_FAILURE = Duration.ofMillis(50);

  private final Accounts accounts;
  private final NodeSettings settings;
  private final List<String> keys;
  private final long startNanos = System.nanoTime();
  private final AtomicInteger written = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isStopped;

  Load(Accounts accounts, NodeSettings settings) {
    this.accounts = accounts;
    this.settings = settings;
    keys = settings.keys();
    SplittableRandom seeds = new SplittableRandom(Objects.hash(settings.seed(), settings.name()));
    for (int i = 0; i < THREADS && settings.rate() > 0; i++) {
      SplittableRandom random = seeds.split();
      Thread thread = new Thread(() -> run(random), Interposer.BUSINESS + i);
      threads.add(thread);
      thread.start();
    }
  }

  private void run(SplittableRandom random) {
    while (!isStopped && written.get() < settings.events()) {
      write(random);
      long due = startNanos + (long) (written.get() * 1e9 / settings.rate());
      LockSupport.parkNanos(due - System.nanoTime());
    }
  }

  private void write(SplittableRandom random) {
    List<String> chosen = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      String key = keys.get(random.nextInt(keys.size()));
      if (!chosen.contains(key)) {
        chosen.add(key);
      }
    }
    int count = settings.eventsOfKey() > 0 ? settings.eventsOfKey() : 1 + random.nextInt(2);
    try {
      if (settings.hasSameEvents()) {
        accounts.writeIfAbsent(keys, written.getAndIncrement());
      } else if (accounts.write(chosen, count, () -> commits(random, chosen))) {
        written.addAndGet(chosen.size() * count);
      }
    } catch (SQLException | RuntimeException e) {
      System.err.println("transaction failed: " + e);
      LockSupport.parkNanos(AFTER_FAILURE.toNanos());
    }
  }

  private boolean commits(SplittableRandom random, List<String> chosen) throws SQLException {
    if (random.nextInt(100) < settings.savepoints()) {
      accounts.takeBack(chosen);
    }
    if (random.nextInt(20) == 0) {
      LockSupport.parkNanos(random.nextLong(LONGEST_DELAY.toNanos()));
    }
    return random.nextInt(100) >= settings.rollbacks();
  }

  /** Waits until all has been written that was asked for, or writing was stopped. */
  void await() {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while writing", e);
    }
  }

  /** Lets transactions end that have begun. */
  void stop() {
    isStopped = true;
    await();
  }
}
