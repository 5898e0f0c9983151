package outbox.spring.boot;

import outbox.spi.MetricsExporter;

/**
 * What the application's meter registry is told of each outbox. An outbox that the application
 * builds itself is given its own, under the name of its bean, which the gauges of its table have
 * too:
 *
 * <pre>{@code
 * @Bean
 * Outbox billingOutbox(OutboxMeters meters) {
 *   return Outbox.multiNode().metrics(meters.of("billingOutbox")). ... .build();
 * }
 * }</pre>
 *
 * <p>Where there is no registry, or meters are switched off, these do nothing; where the
 * application has a {@link MetricsExporter} bean, they are that.
 */
@FunctionalInterface
public interface OutboxMeters {

  /**
   * The same for the same name.
   *
   * @param table the value of the tag {@code table}
   */
  MetricsExporter of(String table);
}
