package outbox.spring.boot;

import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import outbox.Outbox;

/** Shows every outbox by the actuator, whoever made it: an endpoint, and their health. */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnClass(Endpoint.class)
@ConditionalOnBean({Outbox.class, WatchedOutboxes.class})
@EnableConfigurationProperties({ActuatorProperties.Health.class, ActuatorProperties.Endpoint.class})
public class ActuatorAutoConfiguration {

  @Bean
  TableStates outboxTableStates() {
    return new TableStates(Clock.systemUTC());
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint(endpoint = OutboxEndpoint.class)
  OutboxEndpoint outboxEndpoint(
      WatchedOutboxes outboxes,
      TableStates states,
      ObjectProvider<WatchedDestinations> destinations,
      ActuatorProperties.Endpoint properties) {
    return new OutboxEndpoint(outboxes, states, orNone(destinations), properties.writes());
  }

  @Bean
  TimelyHealth outboxHealthCheck(
      WatchedOutboxes outboxes,
      TableStates states,
      ObjectProvider<WatchedDestinations> destinations,
      ActuatorProperties.Health limits) {
    HealthCheck check = new HealthCheck(outboxes, states, orNone(destinations), limits);
    return new TimelyHealth(check::report, limits.timeout());
  }

  private static WatchedDestinations orNone(ObjectProvider<WatchedDestinations> destinations) {
    return destinations.getIfAvailable(() -> WatchedDestinations.None.NONE);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  @ConditionalOnEnabledHealthIndicator("outbox")
  static class SpringBoot3 {

    @Bean
    @ConditionalOnMissingBean(name = "outboxHealthIndicator")
    ActuatorHealth outboxHealthIndicator(TimelyHealth check) {
      return new ActuatorHealth(check);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(org.springframework.boot.health.contributor.HealthIndicator.class)
  @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator(
      "outbox")
  static class SpringBoot4 {

    @Bean
    @ConditionalOnMissingBean(name = "outboxHealthIndicator")
    ContributorHealth outboxHealthIndicator(TimelyHealth check) {
      return new ContributorHealth(check);
    }
  }
}
