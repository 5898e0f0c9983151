package outbox.samples.demo.books;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Turns a growing count into events per second, about four values a second. */
public final class Throughput {

  private static final Duration SLOT = Duration.ofMillis(240);
  private static final int MOST_SLOTS = 200;

  private final Deque<Long> rates = new ArrayDeque<>();
  private long lastCount;
  private Duration lastTime = Duration.ZERO;

  /** Takes the count at this time of the run; keeps a rate if enough time has gone by. */
  public synchronized void sample(Duration elapsed, long count) {
    Duration passed = elapsed.minus(lastTime);
    if (passed.compareTo(SLOT) < 0) {
      return;
    }
    rates.addLast((count - lastCount) * 1000 / passed.toMillis());
    if (rates.size() > MOST_SLOTS) {
      rates.removeFirst();
    }
    lastCount = count;
    lastTime = elapsed;
  }

  /** Oldest first. */
  public synchronized List<Long> rates() {
    return List.copyOf(rates);
  }
}
