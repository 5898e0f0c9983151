package outbox.spring.boot.several;

import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;
import outbox.registry.ListenerRegistry;
import outbox.spring.SpringTxContext;

/** An application with two databases, each with its own outbox. */
@Configuration(proxyBeanMethods = false)
public class TwoOutboxes {

  // docs:begin two
  @Bean
  Outbox ordersOutbox(@Qualifier("ordersDb") DataSource dataSource, ListenerRegistry listeners) {
    return outbox(dataSource, listeners);
  }

  @Bean
  Outbox billingOutbox(@Qualifier("billingDb") DataSource dataSource, ListenerRegistry listeners) {
    return outbox(dataSource, listeners);
  }

  private static Outbox outbox(DataSource dataSource, ListenerRegistry listeners) {
    return Outbox.multiNode()
        .database(JdbcDatabase.of(dataSource))
        .txContext(new SpringTxContext(dataSource))
        .listenerRegistry(listeners)
        .build();
  }
  // docs:end two
}
