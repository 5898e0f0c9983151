package outbox.spring.boot;

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
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import outbox.Outbox;
import outbox.OutboxWriter;
import outbox.WriterHook;
import outbox.dead.DeadEventManager;
import outbox.dispatch.ErrorRedactor;
import outbox.dispatch.EventInterceptor;
import outbox.dispatch.RetryPolicy;
import outbox.domain.EventClasses;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventArchiver;
import outbox.spi.EventPurger;
import outbox.spi.MetricsExporter;
import outbox.spi.Notifications;
import outbox.spi.OutboxStore;
import outbox.spi.TxContext;

/**
 * Makes an {@link Outbox}, and what it needs, of the application's DataSource; or several, of the
 * names in the properties. Each bean steps back for one of the application's own; and every {@code
 * Outbox} bean, whoever made it, is started when its context is ready and stopped before anything
 * else is.
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
  AllSettings outboxSettings(OutboxProperties properties, Environment environment) {
    return AllSettings.of(properties, environment);
  }

  @Bean
  WatchedOutboxes watchedOutboxes(ListableBeanFactory beans) {
    return new WatchedOutboxes(beans);
  }

  /** Those that must not wait for their first use, whatever the application prefers. */
  @Bean
  static LazyInitializationExcludeFilter outboxStartsEagerly() {
    return LazyInitializationExcludeFilter.forBeanTypes(
        ListenerScan.class,
        UnusedProperties.class,
        UnknownTable.class,
        OutboxLifecycle.class,
        Outbox.class);
  }

  /** Each context has its own, for the outboxes that are beans of it. */
  @Bean
  @ConditionalOnMissingBean(value = ListenerRegistry.class, ignored = Routes.class)
  Routes outboxListeners() {
    return new Routes();
  }

  @Bean
  @ConditionalOnMissingBean
  EventClasses outboxEventClasses() {
    return MergedEvents.classes();
  }

  @Bean
  ListenerScan outboxListenerScan(
      ConfigurableListableBeanFactory beans,
      AllSettings settings,
      EventClasses events,
      ObjectProvider<PayloadReader> reader) {
    return new ListenerScan(beans, settings, events, reader.getIfAvailable());
  }

  @Bean(OutboxLifecycle.BEAN)
  OutboxLifecycle outboxLifecycle(
      ConfigurableApplicationContext context,
      ObjectProvider<Outbox> outboxes,
      ObjectProvider<OutboxFactory> factories) {
    return new OutboxLifecycle(context, outboxes, factories);
  }

  @Bean
  UnusedProperties outboxUnusedProperties(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<OutboxFactory> factories,
      OutboxProperties properties,
      Environment environment) {
    return new UnusedProperties(beans, factories, properties, environment);
  }

  @Bean
  UnknownTable outboxUnknownTable(ConfigurableListableBeanFactory beans, AllSettings settings) {
    return new UnknownTable(beans, settings);
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

  @Bean
  DispatcherSetup outboxDispatcherSetup(
      Environment environment,
      ObjectProvider<RetryPolicy> retryPolicy,
      ObjectProvider<ErrorRedactor> errorRedactor,
      ObjectProvider<EventInterceptor> interceptors,
      ObjectProvider<OutboxDispatcherCustomizer> customizers) {
    return new DispatcherSetup(environment, retryPolicy, errorRedactor, interceptors, customizers);
  }

  @Bean
  @ConditionalOnMissingBean
  OutboxMeters outboxMetersWithoutRegistry(
      ObjectProvider<MetricsExporter> metrics, OutboxProperties properties) {
    MetricsExporter own = metrics.getIfAvailable();
    properties.metrics().refuseIfSet(own == null ? null : "a MetricsExporter");
    return new OneExporter(own == null ? MetricsExporter.NOOP : own);
  }

  /** The same for all tables. */
  private record OneExporter(MetricsExporter exporter) implements OutboxMeters {

    @Override
    public MetricsExporter of(String table) {
      return exporter;
    }
  }

  @Bean
  OutboxFactory.Extras outboxExtras(
      OutboxMeters meters,
      OutboxProperties properties,
      ObjectProvider<WriterHook> writerHooks,
      ObjectProvider<EventArchiver> archiver,
      DispatcherSetup dispatcher) {
    if (!(meters instanceof OneExporter || meters instanceof RegisteredMeters)) {
      properties.metrics().refuseIfSet("an OutboxMeters");
    }
    return new OutboxFactory.Extras(meters, writerHooks, archiver, dispatcher);
  }

  /** What the only outbox is made of; each part steps back for one of the application's own. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(NamedOutboxes.None.class)
  static class PartsOfOne {

    @Bean
    @Lazy
    Choice outboxChoice(ListableBeanFactory beans, AllSettings settings) {
      return new Choice(beans, settings.of(""));
    }

    @Bean
    @Lazy
    Tables outboxTables(Choice choice, AllSettings settings) {
      return new Tables(choice.dataSource(), settings.of(""));
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
      return choice.transactions();
    }
  }

  /** What an {@link Outbox} of the application's own replaces. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(NamedOutboxes.None.class)
  @ConditionalOnMissingBean(Outbox.class)
  static class One {

    @Bean
    OutboxFactory outboxFactory(
        AllSettings settings,
        Tables tables,
        OutboxFactory.Parts parts,
        OutboxFactory.Extras extras) {
      return new OutboxFactory(settings.of(""), tables, parts, extras);
    }

    @Bean
    OutboxFactory.Parts outboxParts(
        OutboxStore store,
        ConnectionProvider connections,
        TxContext transactions,
        ListenerRegistry listeners,
        ObjectProvider<EventPurger> purger,
        ObjectProvider<Notifications> notifications) {
      return new OutboxFactory.Parts(
          store,
          connections,
          transactions,
          listeners,
          purger.getIfAvailable(),
          notifications.getIfAvailable());
    }

    @Bean
    Outbox outbox(OutboxFactory factory) {
      return factory.written();
    }
  }

  /** Likewise, where the properties name several. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(NamedOutboxes.Any.class)
  @ConditionalOnMissingBean(Outbox.class)
  @Import(NamedOutboxes.class)
  static class Named {

    @Bean
    NamedFactories outboxFactories(
        ListableBeanFactory beans,
        AllSettings settings,
        ListenerRegistry listeners,
        OutboxFactory.Extras extras) {
      return new NamedFactories(beans, settings, listeners, extras);
    }
  }
}
