package outbox.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;
import outbox.BacklogReader;
import outbox.micrometer.BacklogMeters;
import outbox.micrometer.BacklogOptions;
import outbox.micrometer.MeterOptions;
import outbox.micrometer.MicrometerMetricsExporter;
import outbox.spi.MetricsExporter;

/**
 * The meters of all tables in the application's registry. Those that an outbox feeds are not there
 * before the first one asks: one that the application makes itself may not.
 */
final class RegisteredMeters implements OutboxMeters {

  private final MeterRegistry registry;
  private final SingletonSupplier<MicrometerMetricsExporter> exporter;
  private final MeterOptions meters;
  private final BacklogOptions backlog;
  private final Map<String, MetricsExporter> tables = new HashMap<>();

  /** What the options refuse was a property. */
  RegisteredMeters(MeterRegistry registry, OutboxProperties.Metrics properties) {
    this.registry = registry;
    exporter = SingletonSupplier.of(() -> new MicrometerMetricsExporter(registry));
    MeterOptions byDefault = MeterOptions.defaults();
    BacklogOptions watching = BacklogOptions.defaults();
    try {
      meters =
          new MeterOptions(
              or(properties.maxEventTypes(), byDefault.maxEventTypes()),
              or(properties.percentiles(), byDefault.percentiles()));
      backlog =
          new BacklogOptions(
              or(properties.refreshInterval(), watching.interval()),
              or(properties.countLimit(), watching.countLimit()));
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          "A property below outbox.metrics can't be used: " + e.getMessage() + ".",
          "Write another value, or remove the property to have the default.",
          e);
    }
  }

  private static <T> T or(@Nullable T value, T byDefault) {
    return Optional.ofNullable(value).orElse(byDefault);
  }

  /** The same for an outbox that is made again. */
  @Override
  public synchronized MetricsExporter of(String table) {
    return tables.computeIfAbsent(table, name -> exporter.obtain().forTable(name, meters));
  }

  BacklogMeters watch(String table, BacklogReader reader) {
    return BacklogMeters.of(registry, table, reader, backlog);
  }
}
