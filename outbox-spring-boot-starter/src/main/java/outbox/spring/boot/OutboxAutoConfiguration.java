package outbox.spring.boot;

import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import outbox.Outbox;
import outbox.OutboxWriter;
import outbox.WriterHook;
import outbox.dead.DeadEventManager;
import outbox.dispatch.ErrorRedactor;
import outbox.dispatch.EventInterceptor;
import outbox.dispatch.RetryPolicy;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventArchiver;
import outbox.spi.EventPurger;
import outbox.spi.MetricsExporter;
import outbox.spi.Notifications;
import outbox.spi.OutboxStore;
import outbox.spi.TxContext;
import outbox.spring.SpringTxContext;

/**
 * Makes an {@link Outbox}, and what it needs, of the application's DataSource. Each bean steps back
 * for one of the application's own; and every {@code Outbox} bean, whoever made it, is started when
 * the context is ready and stopped before anything else is.
 */
@AutoConfiguration(
    afterName = {
      // Spring Boot 3.5
      "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.JndiDataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.XADataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
      "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration",
      // Spring Boot 4
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
      "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
      "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.JndiDataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.XADataSourceAutoConfiguration",
      "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration"
    })
@ConditionalOnProperty(prefix = "outbox", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(OutboxProperties.class)
@Import(JacksonConfiguration.class)
public class OutboxAutoConfiguration {

  @Bean
  Settings outboxSettings(OutboxProperties properties) {
    return Settings.of(properties);
  }

  /** Those that must not wait for their first use, whatever the application prefers. */
  @Bean
  static LazyInitializationExcludeFilter outboxStartsEagerly() {
    return LazyInitializationExcludeFilter.forBeanTypes(
        ListenerScan.class, OutboxLifecycle.class, Outbox.class);
  }

  @Bean
  @Lazy
  Choice outboxChoice(ListableBeanFactory beans, OutboxProperties properties) {
    return new Choice(beans, properties);
  }

  @Bean
  @Lazy
  Tables outboxTables(Choice choice, Settings settings) {
    return new Tables(choice.dataSource(), settings);
  }

  /** Creates the table, if it is to, after everything that the application creates. */
  @Bean
  @Lazy
  @ConditionalOnMissingBean
  @DependsOnDatabaseInitialization
  OutboxStore outboxStore(Tables tables) {
    return tables.store();
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean
  ConnectionProvider outboxConnections(Choice choice) {
    return new DataSourceConnectionProvider(choice.dataSource());
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean
  TxContext outboxTransactions(Choice choice) {
    DataSource dataSource = choice.dataSource();
    PlatformTransactionManager manager = choice.transactionManager(dataSource);
    return manager instanceof ConfigurableTransactionManager configurable
        ? new SpringTxContext(dataSource, configurable)
        : new SpringTxContext(dataSource);
  }

  @Bean
  @ConditionalOnMissingBean(ListenerRegistry.class)
  Routes outboxListeners() {
    return new Routes();
  }

  @Bean
  ListenerScan outboxListenerScan(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<Routes> routes,
      ObjectProvider<OutboxFactory> factory,
      Settings settings,
      ObjectProvider<PayloadReader> reader) {
    boolean delivers = factory.getIfAvailable() != null && !settings.relayed().isEmpty();
    return new ListenerScan(
        beans, routes.getIfAvailable(), settings.kind(), delivers, reader.getIfAvailable());
  }

  @Bean
  OutboxLifecycle outboxLifecycle(
      ObjectProvider<Outbox> outboxes,
      ObjectProvider<OutboxFactory> factory,
      OutboxProperties properties) {
    OutboxFactory own = factory.getIfAvailable();
    if (own == null) {
      Settings.refuseForOwnOutbox(properties);
    }
    return new OutboxLifecycle(outboxes, own);
  }

  @Bean
  @ConditionalOnSingleCandidate(Outbox.class)
  @ConditionalOnMissingBean
  OutboxWriter outboxWriter(Outbox outbox) {
    return outbox.writer();
  }

  @Bean
  @ConditionalOnSingleCandidate(Outbox.class)
  @ConditionalOnMissingBean
  DeadEventManager outboxDeadEvents(Outbox outbox) {
    return outbox.dead();
  }

  /** What an {@link Outbox} of the application's own replaces. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(Outbox.class)
  static class Made {

    @Bean
    OutboxFactory.Parts outboxParts(
        OutboxStore store,
        ConnectionProvider connections,
        TxContext transactions,
        ListenerRegistry listeners) {
      return new OutboxFactory.Parts(store, connections, transactions, listeners);
    }

    @Bean
    DispatcherSetup outboxDispatcherSetup(
        OutboxProperties properties,
        Environment environment,
        ObjectProvider<RetryPolicy> retryPolicy,
        ObjectProvider<ErrorRedactor> errorRedactor,
        ObjectProvider<EventInterceptor> interceptors,
        ObjectProvider<OutboxDispatcherCustomizer> customizers) {
      return new DispatcherSetup(
          properties, environment, retryPolicy, errorRedactor, interceptors, customizers);
    }

    @Bean
    @ConditionalOnMissingBean
    TableMetrics outboxMetrics(
        ObjectProvider<MetricsExporter> metrics, OutboxProperties properties) {
      return TableMetrics.withoutRegistry(metrics.getIfAvailable(), properties.metrics());
    }

    @Bean
    OutboxFactory.Extras outboxExtras(
        ObjectProvider<EventPurger> purger,
        TableMetrics metrics,
        ObjectProvider<WriterHook> writerHooks,
        ObjectProvider<Notifications> notifications,
        ObjectProvider<EventArchiver> archiver,
        DispatcherSetup dispatcher) {
      return new OutboxFactory.Extras(
          purger, metrics, writerHooks, notifications, archiver, dispatcher);
    }

    @Bean
    OutboxFactory outboxFactory(
        Settings settings, Tables tables, OutboxFactory.Parts parts, OutboxFactory.Extras extras) {
      return new OutboxFactory(settings, tables, parts, extras);
    }

    @Bean
    Outbox outbox(OutboxFactory factory) {
      return factory.written();
    }
  }
}
