package outbox.testing;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import outbox.spi.MetricsExporter;

/** Counts what is reported to it; safe for all threads. */
public final class RecordingMetrics implements MetricsExporter {

  /** What {@link #oldestLagMs} answers before a lag was recorded. */
  public static final long NO_LAG = -1;

  private final AtomicInteger hotEnqueued = new AtomicInteger();
  private final AtomicInteger hotDropped = new AtomicInteger();
  private final AtomicInteger coldEnqueued = new AtomicInteger();
  private final AtomicInteger successes = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger dead = new AtomicInteger();
  private final AtomicInteger lostLeases = new AtomicInteger();
  private final AtomicInteger hotDepth = new AtomicInteger();
  private final AtomicInteger coldDepth = new AtomicInteger();
  private final AtomicLong oldestLagMs = new AtomicLong(NO_LAG);

  @Override
  public void incrementHotEnqueued() {
    hotEnqueued.incrementAndGet();
  }

  @Override
  public void incrementHotDropped() {
    hotDropped.incrementAndGet();
  }

  @Override
  public void incrementColdEnqueued() {
    coldEnqueued.incrementAndGet();
  }

  @Override
  public void incrementDispatchSuccess() {
    successes.incrementAndGet();
  }

  @Override
  public void incrementDispatchFailure() {
    failures.incrementAndGet();
  }

  @Override
  public void incrementDispatchDead() {
    dead.incrementAndGet();
  }

  @Override
  public void recordQueueDepths(int hotDepth, int coldDepth) {
    this.hotDepth.set(hotDepth);
    this.coldDepth.set(coldDepth);
  }

  @Override
  public void recordOldestLagMs(long lagMs) {
    oldestLagMs.set(lagMs);
  }

  @Override
  public void incrementLostLeases() {
    lostLeases.incrementAndGet();
  }

  public int hotEnqueued() {
    return hotEnqueued.get();
  }

  public int hotDropped() {
    return hotDropped.get();
  }

  public int coldEnqueued() {
    return coldEnqueued.get();
  }

  public int successes() {
    return successes.get();
  }

  public int failures() {
    return failures.get();
  }

  public int dead() {
    return dead.get();
  }

  public int lostLeases() {
    return lostLeases.get();
  }

  public int hotDepth() {
    return hotDepth.get();
  }

  public int coldDepth() {
    return coldDepth.get();
  }

  /** The lag recorded last. */
  public long oldestLagMs() {
    return oldestLagMs.get();
  }
}
