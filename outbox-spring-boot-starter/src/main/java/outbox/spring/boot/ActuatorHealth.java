package outbox.spring.boot;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** The health of the outbox for the actuator of Spring Boot 3.5. */
record ActuatorHealth(TimelyHealth check) implements HealthIndicator {

  @Override
  public Health health() {
    HealthReport report = check.report();
    return Health.status(report.status()).withDetails(report.details()).build();
  }
}
