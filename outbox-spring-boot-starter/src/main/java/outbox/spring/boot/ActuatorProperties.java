package outbox.spring.boot;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** What the actuator does with the outbox. */
final class ActuatorProperties {

  private ActuatorProperties() {}

  /**
   * @param maxAge How long the oldest event may wait before the outbox is degraded.
   * @param maxClockDifference How far the clocks of the database and of this machine may be apart.
   * @param timeout How long to wait for the database.
   */
  @ConfigurationProperties("management.health.outbox")
  record Health(
      @DefaultValue("5m") Duration maxAge,
      @DefaultValue("5s") Duration maxClockDifference,
      @DefaultValue("3s") Duration timeout) {

    Health {
      OutboxProperties.notNegative("management.health.outbox.max-age", maxAge);
      OutboxProperties.notNegative(
          "management.health.outbox.max-clock-difference", maxClockDifference);
      OutboxProperties.positive("management.health.outbox.timeout", timeout);
    }
  }

  /**
   * @param writes Whether dead events can be replayed and discarded, and destinations paused.
   */
  @ConfigurationProperties("management.endpoint.outbox")
  record Endpoint(@DefaultValue("false") boolean writes) {}
}
