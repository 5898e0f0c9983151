package outbox.spring.boot;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/**
 * Has traces go on from the write of an event to its listener, where the application traces with
 * Micrometer.
 */
@AutoConfiguration(
    afterName = {
      // Spring Boot 3.5
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.tracing.NoopTracerAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration",
      // Spring Boot 4
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
    })
@ConditionalOnClass({ObservationRegistry.class, Tracer.class})
@ConditionalOnBean({ObservationRegistry.class, Tracer.class, Propagator.class})
@ConditionalOnProperty(prefix = "outbox", name = "enabled", matchIfMissing = true)
public class TracingAutoConfiguration {

  /** Does nothing for a tracer that does nothing. */
  @Bean
  ObservedEvents outboxObservations(ObservationRegistry registry, Tracer tracer) {
    return new ObservedEvents(tracer == Tracer.NOOP ? ObservationRegistry.NOOP : registry);
  }

  /** Before Spring Boot's own, which link nothing. */
  @Bean
  @Order(0)
  LinkedDeliveries outboxLinks(Tracer tracer, Propagator propagator) {
    return new LinkedDeliveries(tracer, propagator);
  }
}
