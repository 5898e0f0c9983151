package outbox.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import outbox.spi.MetricsExporter;

/** Keeps a failing exporter away from events and threads: what it throws is logged. */
public final class GuardedMetrics implements MetricsExporter {

  private static final Logger LOG = System.getLogger(GuardedMetrics.class.getName());

  private final MetricsExporter metrics;

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

  private static void run(Runnable report) {
    try {
      report.run();
    } catch (Throwable e) {
      LOG.log(Level.WARNING, "metrics exporter failed; this measurement is lost", e);
    }
  }
}
