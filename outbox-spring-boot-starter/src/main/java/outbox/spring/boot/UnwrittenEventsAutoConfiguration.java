package outbox.spring.boot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Warns of events that an outbox switched off doesn't write. An outbox of the application's own, or
 * of a parent context, still does.
 */
@AutoConfiguration(after = DomainEventsAutoConfiguration.class)
@ConditionalOnProperty(prefix = "outbox", name = "enabled", havingValue = "false")
@ConditionalOnMissingBean(DomainEventListener.class)
public class UnwrittenEventsAutoConfiguration {

  @Bean
  UnwrittenEvents outboxUnwrittenEvents() {
    return new UnwrittenEvents();
  }
}
