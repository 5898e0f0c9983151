package outbox.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import outbox.destination.GuardedDestination;
import outbox.micrometer.DestinationMeters;

/**
 * Shows the application's destinations to operators and to the meter registry, and has events that
 * go to several of them copied by the outbox, if {@code outbox-destinations} is there.
 */
@AutoConfiguration(after = {OutboxAutoConfiguration.class, OutboxMetricsAutoConfiguration.class})
@ConditionalOnClass(GuardedDestination.class)
@ConditionalOnProperty(prefix = "outbox", name = "enabled", matchIfMissing = true)
public class DestinationsAutoConfiguration {

  @Bean
  GuardedDestinations outboxDestinations(ListableBeanFactory beans) {
    return new GuardedDestinations(beans);
  }

  @Bean
  FanOutSetup outboxFanOutSetup(ListableBeanFactory beans) {
    return new FanOutSetup(beans);
  }

  /** It must not wait for its first use, because there is none. */
  @Bean
  static LazyInitializationExcludeFilter outboxFanOutIsSetUpEagerly() {
    return LazyInitializationExcludeFilter.forBeanTypes(FanOutSetup.class);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MeterRegistry.class, DestinationMeters.class})
  @ConditionalOnBean(RegisteredMeters.class)
  static class Metered {

    @Bean
    DestinationWatch outboxDestinationWatch(
        MeterRegistry registry, GuardedDestinations destinations) {
      return new DestinationWatch(registry, destinations);
    }
  }
}
