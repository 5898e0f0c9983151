package outbox.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Registers meters whose names begin with a prefix, and which have these tags. */
record Meters(MeterRegistry registry, String prefix, Tags tags) {

  /** From a millisecond to an hour: what a hot event takes, and what an outage does to it. */
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30),
    Duration.ofMinutes(1),
    Duration.ofMinutes(5),
    Duration.ofMinutes(30),
    Duration.ofHours(1)
  };

  private static final double[] SIZES = {1, 2, 5, 10, 50, 100, 500, 1000};

  Meters {
    Objects.requireNonNull(registry, "registry must not be null");
    Objects.requireNonNull(prefix, "namePrefix must not be null");
    if (prefix.isBlank()) {
      throw new IllegalArgumentException(
          "namePrefix must be not empty, got: \"%s\"".formatted(prefix));
    }
  }

  Meters tagged(String key, String value) {
    return new Meters(registry, prefix, tags.and(key, value));
  }

  Counter counter(String name, String description) {
    return Counter.builder(named(name)).description(description).tags(tags).register(registry);
  }

  /** One that the source counts; it is kept alive by whoever else has it. */
  <T> FunctionCounter counter(
      String name, String description, T source, ToDoubleFunction<T> count) {
    return FunctionCounter.builder(named(name), source, count)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  /** The registry keeps the value alive, even when the exporter is gone. */
  AtomicLong gauge(String name, String description) {
    AtomicLong value = new AtomicLong();
    gauge(name, description, null, value, AtomicLong::get);
    return value;
  }

  <T> Gauge gauge(
      String name, String description, @Nullable String unit, T source, ToDoubleFunction<T> value) {
    return Gauge.builder(named(name), source, value)
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  /** With buckets, so that percentiles can be had of several processes together. */
  Timer histogram(String name, String description, List<Double> percentiles) {
    return timer(name, description)
        .serviceLevelObjectives(BUCKETS)
        .publishPercentiles(percentiles.stream().mapToDouble(Double::doubleValue).toArray())
        .register(registry);
  }

  Timer plainTimer(String name, String description) {
    return timer(name, description).register(registry);
  }

  private Timer.Builder timer(String name, String description) {
    return Timer.builder(named(name)).description(description).tags(tags);
  }

  DistributionSummary sizes(String name, String description) {
    return DistributionSummary.builder(named(name))
        .description(description)
        .tags(tags)
        .serviceLevelObjectives(SIZES)
        .register(registry);
  }

  private String named(String name) {
    return prefix + "." + name;
  }
}
