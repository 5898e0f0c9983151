package outbox.spring.boot;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import outbox.Outbox;
import outbox.OutboxWriter;
import outbox.domain.EventClasses;
import outbox.domain.EventMapper;
import outbox.domain.OutboxEvent;
import outbox.domain.PayloadWriter;

/**
 * Writes events that the application publishes, and that an {@link EventMapper} bean takes, to the
 * outbox. The starter's own takes those whose class carries {@link OutboxEvent}.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnBean(Outbox.class)
public class DomainEventsAutoConfiguration {

  @Bean
  @Order(Ordered.LOWEST_PRECEDENCE - 1)
  EventMapper outboxAnnotatedEvents(ObjectProvider<PayloadWriter> payloads, EventClasses classes) {
    PayloadWriter json = payloads.getIfAvailable();
    return EventMapper.annotated(
        json == null ? DomainEventsAutoConfiguration::refuse : json, classes);
  }

  private static String refuse(Object event) {
    throw new IllegalStateException(
        "nothing can write JSON; add Jackson to the application, or define a PayloadWriter bean");
  }

  @Bean
  EventClassScan outboxEventClassScan(ApplicationContext context, EventClasses classes) {
    return new EventClassScan(context, classes);
  }

  @Bean
  @ConditionalOnMissingBean
  EventClasses outboxEventClasses() {
    return MergedEvents.classes();
  }

  @Bean
  TransactionOutbox outboxOfTransaction(
      ObjectProvider<OutboxWriter> writers, ObjectProvider<Outbox> outboxes) {
    return new TransactionOutbox(writers, outboxes);
  }

  @Bean
  static LazyInitializationExcludeFilter outboxEventsAreScannedEagerly() {
    return LazyInitializationExcludeFilter.forBeanTypes(EventClassScan.class);
  }

  @Bean(DomainEventListener.BEAN)
  DomainEventListener outboxDomainEventListener(
      ApplicationContext context, ObjectProvider<EventMapper> mappers, TransactionOutbox outbox) {
    return new DomainEventListener(context, mappers, outbox);
  }
}
