package outbox.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import outbox.spi.MetricsExporter;

/**
 * Publishes the counters and gauges of an outbox in a Micrometer registry, under one name prefix.
 *
 * <p>All meters exist from construction on, at 0. Outboxes that share a registry need a prefix
 * each: with the same one their counters would add up and only the first one's gauges would show.
 * Safe for all threads.
 *
 * <pre>{@code
 * MetricsExporter metrics = new MicrometerMetricsExporter(registry, "orders.outbox");
 * }</pre>
 */
public final class MicrometerMetricsExporter implements MetricsExporter {

  private static final String DEFAULT_PREFIX = "outbox";

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
    Meters meters = new Meters(registry, namePrefix);
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

  /** Registers meters under a prefix. */
  private record Meters(MeterRegistry registry, String prefix) {

    Meters {
      Objects.requireNonNull(registry, "registry must not be null");
      Objects.requireNonNull(prefix, "namePrefix must not be null");
      if (prefix.isBlank()) {
        throw new IllegalArgumentException(
            "namePrefix must be not empty, got: \"%s\"".formatted(prefix));
      }
    }

    Counter counter(String name, String description) {
      return Counter.builder(prefix + "." + name).description(description).register(registry);
    }

    /** The registry keeps the value alive, even when the exporter is gone. */
    AtomicLong gauge(String name, String description) {
      AtomicLong value = new AtomicLong();
      Gauge.builder(prefix + "." + name, value, AtomicLong::get)
          .description(description)
          .strongReference(true)
          .register(registry);
      return value;
    }
  }
}
