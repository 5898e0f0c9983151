package outbox.spring.boot.several;

import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** Two databases in memory, each with its transaction manager. */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement(proxyTargetClass = true)
public class TwoDatabases {

  @Bean
  DataSource ordersDb() {
    return database();
  }

  @Bean
  DataSource billingDb() {
    return database();
  }

  @Bean
  PlatformTransactionManager ordersTransactions(@Qualifier("ordersDb") DataSource dataSource) {
    return new DataSourceTransactionManager(dataSource);
  }

  @Bean
  PlatformTransactionManager billingTransactions(@Qualifier("billingDb") DataSource dataSource) {
    return new DataSourceTransactionManager(dataSource);
  }

  protected DataSource database() {
    return new DriverManagerDataSource(
        "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
  }
}
