package outbox.samples.demo.books;

import java.util.concurrent.atomic.LongAdder;
import outbox.spi.MetricsExporter;

/** What the outbox counts about itself, kept for the view. */
public final class Counters implements MetricsExporter {

  private final LongAdder hotEnqueued = new LongAdder();
  private final LongAdder hotDropped = new LongAdder();
  private final LongAdder coldEnqueued = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder deaths = new LongAdder();
  private volatile int hotDepth;

  @Override
  public void incrementHotEnqueued() {
    hotEnqueued.increment();
  }

  @Override
  public void incrementHotDropped() {
    hotDropped.increment();
  }

  @Override
  public void incrementColdEnqueued() {
    coldEnqueued.increment();
  }

  @Override
  public void incrementDispatchSuccess() {}

  @Override
  public void incrementDispatchFailure() {
    failures.increment();
  }

  @Override
  public void incrementDispatchDead() {
    deaths.increment();
  }

  @Override
  public void recordQueueDepths(int hotDepth, int coldDepth) {
    this.hotDepth = hotDepth;
  }

  @Override
  public void recordOldestLagMs(long lagMs) {}

  /** Events that went from their commit straight to the hot queue. */
  public long hotEnqueued() {
    return hotEnqueued.sum();
  }

  /** Events that found the hot queue full and were left to the poller. */
  public long hotDropped() {
    return hotDropped.sum();
  }

  /** Events that the poller found, once for each try. */
  public long coldEnqueued() {
    return coldEnqueued.sum();
  }

  /** Tries that failed and were repeated. */
  public long failures() {
    return failures.sum();
  }

  public long deaths() {
    return deaths.sum();
  }

  public int hotDepth() {
    return hotDepth;
  }
}
