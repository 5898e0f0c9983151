package outbox.spring.boot.several;

import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;
import outbox.registry.ListenerRegistry;
import outbox.spring.SpringTxContext;
import outbox.spring.boot.OutboxMeters;

/** An application with two databases, and an outbox that it builds itself for each. */
@Configuration(proxyBeanMethods = false)
public class TwoOutboxes {

  // docs:begin two
  @Bean
  Outbox ordersOutbox(
      @Qualifier("ordersDb") DataSource dataSource,
      ListenerRegistry listeners,
      OutboxMeters meters) {
    return Outbox.multiNode()
        .database(JdbcDatabase.of(dataSource))
        .txContext(new SpringTxContext(dataSource))
        .listenerRegistry(listeners)
        .metrics(meters.of("ordersOutbox"))
        .build();
  }

  // docs:end two

  @Bean
  Outbox billingOutbox(@Qualifier("billingDb") DataSource dataSource, ListenerRegistry listeners) {
    return Outbox.ordered()
        .database(JdbcDatabase.of(dataSource))
        .txContext(new SpringTxContext(dataSource))
        .listenerRegistry(listeners)
        .build();
  }
}
