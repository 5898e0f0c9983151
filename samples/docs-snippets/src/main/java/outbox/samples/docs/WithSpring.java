package outbox.samples.docs;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.ConfigurableTransactionManager;
import outbox.Outbox;
import outbox.OutboxWriter;
import outbox.jdbc.database.JdbcDatabase;
import outbox.spring.SpringTxContext;

/** The outbox of an application that has Spring, but not Spring Boot. */
@Configuration(proxyBeanMethods = false)
class WithSpring {

  final BlockingQueue<String> shipped = new LinkedBlockingQueue<>();

  // docs:begin beans
  @Bean
  Outbox outbox(DataSource dataSource, ConfigurableTransactionManager transactionManager) {
    return Outbox.multiNode()
        .database(JdbcDatabase.of(dataSource))
        .txContext(new SpringTxContext(dataSource, transactionManager))
        .listener("OrderPlaced", event -> shipped.add(event.payloadJson()))
        .build();
  }

  @Bean
  OutboxWriter outboxWriter(Outbox outbox) {
    return outbox.writer();
  }

  @EventListener
  void start(ContextRefreshedEvent ready) {
    ready.getApplicationContext().getBean(Outbox.class).start();
  }
  // docs:end beans
}
