package outbox.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import outbox.spi.MetricsExporter;

/**
 * The meters of one table, which have its name as a tag, besides those that all tables of a prefix
 * share.
 */
final class TableMeters implements MetricsExporter {

  private final MetricsExporter shared;
  private final TypeMeters.All types;
  private final Timer polls;
  private final Timer failedPolls;
  private final DistributionSummary completions;
  private final Counter lostLeases;
  private final AtomicLong leader;
  private final Partitions partitions;

  TableMeters(MetricsExporter shared, Meters table, MeterOptions options) {
    this.shared = shared;
    types = new TypeMeters.All(table, options);
    polls = poll(table, "success", options);
    failedPolls = poll(table, "failure", options);
    completions = table.sizes("completion.batch", "Events whose end one transaction wrote");
    lostLeases = table.counter("leases.lost", "Leases of events or nodes lost to other nodes");
    leader = table.gauge("relay.leader", "1 if this process delivers from the table");
    partitions = new Partitions(table);
  }

  private static Timer poll(Meters table, String result, MeterOptions options) {
    return table
        .tagged("result", result)
        .histogram("poll.time", "How long it took to look for events", options.percentiles());
  }

  @Override
  public void recordWritten(String eventType, int count) {
    types.of(eventType).written().increment(count);
  }

  @Override
  public void recordDelivered(String eventType, Duration latency) {
    TypeMeters type = types.of(eventType);
    type.delivered().increment();
    type.latency().record(latency);
  }

  @Override
  public void recordFailed(String eventType) {
    types.of(eventType).failed().increment();
  }

  @Override
  public void recordDead(String eventType) {
    types.of(eventType).dead().increment();
  }

  @Override
  public void recordListenerTime(String eventType, boolean succeeded, Duration time) {
    TypeMeters.Listener listener = types.of(eventType).listener();
    (succeeded ? listener.succeeded() : listener.failed()).record(time);
  }

  @Override
  public void recordCompletions(int count) {
    completions.record(count);
  }

  @Override
  public void recordPoll(boolean succeeded, Duration time) {
    (succeeded ? polls : failedPolls).record(time);
  }

  @Override
  public void incrementLostLeases() {
    lostLeases.increment();
  }

  @Override
  public void recordLeader(boolean isLeader) {
    leader.set(isLeader ? 1 : 0);
  }

  @Override
  public void recordPartitions(int count, Map<Integer, Long> epochs) {
    partitions.record(count, epochs);
  }

  @Override
  public void incrementHotEnqueued() {
    shared.incrementHotEnqueued();
  }

  @Override
  public void incrementHotDropped() {
    shared.incrementHotDropped();
  }

  @Override
  public void incrementColdEnqueued() {
    shared.incrementColdEnqueued();
  }

  @Override
  public void incrementDispatchSuccess() {
    shared.incrementDispatchSuccess();
  }

  @Override
  public void incrementDispatchFailure() {
    shared.incrementDispatchFailure();
  }

  @Override
  public void incrementDispatchDead() {
    shared.incrementDispatchDead();
  }

  @Override
  public void recordQueueDepths(int hotDepth, int coldDepth) {
    shared.recordQueueDepths(hotDepth, coldDepth);
  }

  @Override
  public void recordOldestLagMs(long lagMs) {
    shared.recordOldestLagMs(lagMs);
  }
}
