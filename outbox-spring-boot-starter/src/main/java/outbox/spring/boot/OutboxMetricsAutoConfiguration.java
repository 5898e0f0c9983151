package outbox.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import outbox.micrometer.MicrometerMetricsExporter;
import outbox.spi.MetricsExporter;

/**
 * Tells the application's meter registry of the outbox, if there is one and {@code
 * outbox-micrometer} is there: what happens in this process, and what waits in the tables. Steps
 * back for a {@link MetricsExporter}, or {@link OutboxMeters}, of the application's own.
 */
@AutoConfiguration(
    before = OutboxAutoConfiguration.class,
    afterName = {
      // Spring Boot 3.5
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration",
      // Spring Boot 4
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, MicrometerMetricsExporter.class})
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnMissingBean(MetricsExporter.class)
@ConditionalOnProperty(prefix = "outbox", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(OutboxProperties.class)
public class OutboxMetricsAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(OutboxMeters.class)
  @ConditionalOnProperty(prefix = "outbox.metrics", name = "enabled", matchIfMissing = true)
  RegisteredMeters outboxMeters(MeterRegistry registry, OutboxProperties properties) {
    return new RegisteredMeters(registry, properties.metrics());
  }

  @Bean
  @ConditionalOnBean(RegisteredMeters.class)
  BacklogWatch outboxBacklogWatch(RegisteredMeters meters, WatchedOutboxes outboxes) {
    return new BacklogWatch(meters, outboxes);
  }
}
