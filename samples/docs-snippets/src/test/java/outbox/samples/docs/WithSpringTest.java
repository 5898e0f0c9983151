package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.Outbox;
import outbox.OutboxStatus;
import outbox.OutboxWriter;

class WithSpringTest {

  @Test
  void anEventIsDeliveredIfItsSpringTransactionCommits() throws InterruptedException {
    Outbox outbox;
    try (var application =
        new AnnotationConfigApplicationContext(Database.class, WithSpring.class)) {
      outbox = application.getBean(Outbox.class);
      OutboxWriter writer = application.getBean(OutboxWriter.class);
      TransactionTemplate transaction =
          new TransactionTemplate(application.getBean(JdbcTransactionManager.class));

      transaction.executeWithoutResult(
          status -> {
            writer.write("OrderPlaced", "{\"orderId\":1}");
            status.setRollbackOnly();
          });
      transaction.executeWithoutResult(status -> writer.write("OrderPlaced", "{\"orderId\":2}"));

      WithSpring beans = application.getBean(WithSpring.class);
      assertThat(beans.shipped.poll(30, TimeUnit.SECONDS)).isEqualTo("{\"orderId\":2}");
      assertThat(beans.shipped).isEmpty();
    }
    assertThat(outbox.status().state()).isEqualTo(OutboxStatus.State.CLOSED);
  }

  @Configuration(proxyBeanMethods = false)
  static class Database {

    @Bean(destroyMethod = "dispose")
    DataSource dataSource() {
      DataSource dataSource = JdbcConnectionPool.create("jdbc:h2:mem:spring", "sa", "");
      Schema.apply(dataSource);
      return dataSource;
    }

    @Bean
    JdbcTransactionManager transactionManager(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }
}
