package outbox.internal;

import java.lang.System.Logger;
import outbox.spi.MetricsExporter;

/**
 * Keeps a failing exporter away from events and threads: what it throws is logged, now and then.
 */
public final class GuardedMetrics implements MetricsExporter {

  private static final Logger LOG = SafeLogger.of(GuardedMetrics.class);

  private final MetricsExporter metrics;
  private final RateLimitedLog failures = new RateLimitedLog(LOG);

  private GuardedMetrics(MetricsExporter metrics) {
    this.metrics = metrics;
  }

  public static MetricsExporter guard(MetricsExporter metrics) {
    return metrics == MetricsExporter.NOOP || metrics instanceof GuardedMetrics
        ? metrics
        : new GuardedMetrics(metrics);
  }

  @Override
  public void incrementHotEnqueued() {
    run(metrics::incrementHotEnqueued);
  }

  @Override
  public void incrementHotDropped() {
    run(metrics::incrementHotDropped);
  }

  @Override
  public void incrementColdEnqueued() {
    run(metrics::incrementColdEnqueued);
  }

  @Override
  public void incrementDispatchSuccess() {
    run(metrics::incrementDispatchSuccess);
  }

  @Override
  public void incrementDispatchFailure() {
    run(metrics::incrementDispatchFailure);
  }

  @Override
  public void incrementDispatchDead() {
    run(metrics::incrementDispatchDead);
  }

  @Override
  public void recordQueueDepths(int hotDepth, int coldDepth) {
    run(() -> metrics.recordQueueDepths(hotDepth, coldDepth));
  }

  @Override
  public void recordOldestLagMs(long lagMs) {
    run(() -> metrics.recordOldestLagMs(lagMs));
  }

  private void run(Runnable report) {
    try {
      report.run();
    } catch (Throwable e) {
      failures.warn(
          1, count -> "metrics exporter failed; measurements are lost: count=" + count, e);
    }
  }
}
