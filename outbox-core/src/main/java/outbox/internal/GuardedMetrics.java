package outbox.internal;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.Map;
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

  @Override
  public void recordWritten(String eventType, int count) {
    run(() -> metrics.recordWritten(eventType, count));
  }

  @Override
  public void recordDelivered(String eventType, Duration latency) {
    run(() -> metrics.recordDelivered(eventType, latency));
  }

  @Override
  public void recordFailed(String eventType) {
    run(() -> metrics.recordFailed(eventType));
  }

  @Override
  public void recordDead(String eventType) {
    run(() -> metrics.recordDead(eventType));
  }

  @Override
  public void recordListenerTime(String eventType, boolean succeeded, Duration time) {
    run(() -> metrics.recordListenerTime(eventType, succeeded, time));
  }

  @Override
  public void recordCompletions(int count) {
    run(() -> metrics.recordCompletions(count));
  }

  @Override
  public void recordPoll(boolean succeeded, Duration time) {
    run(() -> metrics.recordPoll(succeeded, time));
  }

  @Override
  public void incrementLostLeases() {
    run(metrics::incrementLostLeases);
  }

  @Override
  public void recordLeader(boolean isLeader) {
    run(() -> metrics.recordLeader(isLeader));
  }

  @Override
  public void recordPartitions(int partitions, Map<Integer, Long> epochs) {
    run(() -> metrics.recordPartitions(partitions, epochs));
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
