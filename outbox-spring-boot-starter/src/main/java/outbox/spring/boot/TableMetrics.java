package outbox.spring.boot;

import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableName;
import outbox.spi.MetricsExporter;

/** What is told of the events of each table. */
@FunctionalInterface
interface TableMetrics {

  MetricsExporter of(TableName table);

  /**
   * The application's own for all tables, or none.
   *
   * @throws RefusedException if properties are set about meters that there are not
   */
  static TableMetrics withoutRegistry(
      @Nullable MetricsExporter own, OutboxProperties.Metrics properties) {
    if (properties.isSet()) {
      throw new RefusedException(
          own == null
              ? "Properties below outbox.metrics have no effect, because there is no MeterRegistry."
              : "Properties below outbox.metrics have no effect, because the application has a"
                  + " MetricsExporter bean of its own.",
          own == null
              ? "Add spring-boot-starter-actuator, or remove the properties."
              : "Remove the properties and set this where the bean is made, or remove the bean.");
    }
    return table -> own == null ? MetricsExporter.NOOP : own;
  }
}
