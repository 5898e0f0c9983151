package outbox.spring.boot;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The health of the outbox for Spring Boot 4. */
record ContributorHealth(TimelyHealth check) implements HealthIndicator {

  @Override
  public Health health() {
    HealthReport report = check.report();
    return Health.status(report.status()).withDetails(report.details()).build();
  }
}
