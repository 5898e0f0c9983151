package outbox.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import outbox.BacklogReader;
import outbox.spi.MetricsExporter;

/**
 * Publishes the counters and gauges of an outbox in a Micrometer registry, under one name prefix.
 *
 * <p>All meters exist from construction on, at 0. Outboxes that share a registry need a prefix
 * each: with the same one their counters would add up and only the first one's gauges would show.
 * These meters have no tags; {@link #forTable} adds those that do, and {@link #watch} gauges of
 * what waits in a table. Safe for all threads.
 *
 * <pre>{@code
 * var meters = new MicrometerMetricsExporter(registry);
 * Outbox outbox = Outbox.multiNode().metrics(meters.forTable("outbox_event")). ... .build();
 * meters.watch("outbox_event", new BacklogReader(connections, store));
 * }</pre>
 */
public final class MicrometerMetricsExporter implements MetricsExporter {

  static final String DEFAULT_PREFIX = "outbox";

  private final Meters meters;
  private final Counter hotEnqueued;
  private final Counter hotDropped;
  private final Counter coldEnqueued;
  private final Counter dispatchSuccess;
  private final Counter dispatchFailure;
  private final Counter dispatchDead;
  private final AtomicLong hotDepth;
  private final AtomicLong coldDepth;
  private final AtomicLong oldestLagMs;

  /** Names the meters {@code outbox.*}. */
  public MicrometerMetricsExporter(MeterRegistry registry) {
    this(registry, DEFAULT_PREFIX);
  }

  /** Names the meters {@code <namePrefix>.*}. */
  public MicrometerMetricsExporter(MeterRegistry registry, String namePrefix) {
    meters = new Meters(registry, namePrefix, Tags.empty());
    hotEnqueued = meters.counter("enqueue.hot", "Events queued straight after their commit");
    hotDropped =
        meters.counter("enqueue.hot.dropped", "Events that found the hot queue full or closed");
    coldEnqueued = meters.counter("enqueue.cold", "Events queued by the poller");
    dispatchSuccess = meters.counter("dispatch.success", "Events delivered");
    dispatchFailure = meters.counter("dispatch.failure", "Failed tries that will be repeated");
    dispatchDead = meters.counter("dispatch.dead", "Events that became DEAD");
    hotDepth = meters.gauge("queue.hot.depth", "Events in the hot queue");
    coldDepth = meters.gauge("queue.cold.depth", "Events in the cold queue");
    oldestLagMs = meters.gauge("lag.oldest.ms", "Age of the oldest pending event in milliseconds");
  }

  /** Publishes more: by table, event type and result, with the default options. */
  public MetricsExporter forTable(String table) {
    return forTable(table, MeterOptions.defaults());
  }

  /**
   * Publishes more: by table, event type and result. Outboxes on different tables can each have
   * theirs of the same exporter, and share the meters without tags.
   *
   * @param table the value of the tag {@code table}. It must be unique in the registry: tables of
   *     the same name in two databases need another value each, such as {@code
   *     billing.outbox_event}, or they add up and one hides the other
   */
  public MetricsExporter forTable(String table, MeterOptions options) {
    return new TableMeters(this, of(table), options);
  }

  /** Watches what waits in a table, with the default options, until the result is closed. */
  public BacklogMeters watch(String table, BacklogReader backlog) {
    return watch(table, backlog, BacklogOptions.defaults());
  }

  /**
   * Watches what waits in a table until the result is closed.
   *
   * @param table the value of the tag {@code table}, unique in the registry: of two that are the
   *     same only the first is shown
   */
  public BacklogMeters watch(String table, BacklogReader backlog, BacklogOptions options) {
    Objects.requireNonNull(backlog, "backlog must not be null");
    return new BacklogMeters(of(table), table, backlog, options);
  }

  private Meters of(String table) {
    return meters.tagged("table", Objects.requireNonNull(table, "table must not be null"));
  }

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
  public void incrementDispatchSuccess() {
    dispatchSuccess.increment();
  }

  @Override
  public void incrementDispatchFailure() {
    dispatchFailure.increment();
  }

  @Override
  public void incrementDispatchDead() {
    dispatchDead.increment();
  }

  @Override
  public void recordQueueDepths(int hotDepth, int coldDepth) {
    record(this.hotDepth, hotDepth);
    record(this.coldDepth, coldDepth);
  }

  @Override
  public void recordOldestLagMs(long lagMs) {
    record(oldestLagMs, lagMs);
  }

  /** A negative age comes from clocks that disagree; the last true one says more. */
  private static void record(AtomicLong gauge, long value) {
    if (value >= 0) {
      gauge.set(value);
    }
  }
}
