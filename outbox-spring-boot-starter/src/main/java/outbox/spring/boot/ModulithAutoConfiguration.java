package outbox.spring.boot;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.support.BrokerRouting;
import outbox.domain.EventMapper;
import outbox.domain.PayloadWriter;

/**
 * Writes what Spring Modulith externalizes to the outbox, where the application asks for one by
 * {@code spring.modulith.events.externalization.mode=outbox}.
 */
@AutoConfiguration(
    after = DomainEventsAutoConfiguration.class,
    afterName = "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration")
@ConditionalOnClass({EventExternalizationConfiguration.class, BrokerRouting.class})
@ConditionalOnBean({
  DomainEventListener.class,
  EventExternalizationConfiguration.class,
  PayloadWriter.class
})
@ConditionalOnProperty(name = "spring.modulith.events.externalization.mode", havingValue = "outbox")
public class ModulithAutoConfiguration {

  /** After the one for {@code @OutboxEvent}, which knows more about an event that carries both. */
  @Bean
  @Order(Ordered.LOWEST_PRECEDENCE)
  EventMapper outboxExternalizedEvents(
      EventExternalizationConfiguration externalization,
      PayloadWriter payloads,
      BeanFactory beans) {
    StandardEvaluationContext expressions = new StandardEvaluationContext();
    expressions.setBeanResolver(new BeanFactoryResolver(beans));
    return new ExternalizedEvents(externalization, payloads, expressions);
  }
}
