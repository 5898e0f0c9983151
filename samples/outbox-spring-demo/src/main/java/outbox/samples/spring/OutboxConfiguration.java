package outbox.samples.spring;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.ConfigurableTransactionManager;
import outbox.OutboxWriter;
import outbox.dead.DeadEventManager;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.purge.H2EventPurger;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.micrometer.MicrometerMetricsExporter;
import outbox.poller.OutboxPoller;
import outbox.purge.OutboxPurgeScheduler;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.spring.SpringTxContext;

/**
 * The parts of the outbox as beans. Spring closes each before those that it was made of: first the
 * poller, then the dispatcher, and the DataSource last. {@link OutboxStarter} starts them.
 */
@Configuration(proxyBeanMethods = false)
class OutboxConfiguration {

  @Bean
  OutboxStore outboxStore(DataSource dataSource) {
    OutboxSchema.of("h2").apply(dataSource); // elsewhere, Flyway or Liquibase would
    return new H2OutboxStore();
  }

  @Bean
  ConnectionProvider connectionProvider(DataSource dataSource) {
    return new DataSourceConnectionProvider(dataSource);
  }

  @Bean
  MetricsExporter outboxMetrics(MeterRegistry meterRegistry) {
    return new MicrometerMetricsExporter(meterRegistry);
  }

  /** Gives up after three tries within a second, so that one needn't wait to see an event die. */
  @Bean
  OutboxDispatcher outboxDispatcher(
      ConnectionProvider connectionProvider,
      OutboxStore outboxStore,
      ListenerRegistry listenerRegistry,
      MetricsExporter outboxMetrics) {
    return OutboxDispatcher.builder()
        .connectionProvider(connectionProvider)
        .outboxStore(outboxStore)
        .listenerRegistry(listenerRegistry)
        .retryPolicy(new ExponentialBackoffRetryPolicy(200, 1_000))
        .maxAttempts(3)
        .metrics(outboxMetrics)
        .build();
  }

  /** Locks what it takes, so that any number of instances can share one database. */
  @Bean
  OutboxPoller outboxPoller(
      ConnectionProvider connectionProvider,
      OutboxStore outboxStore,
      OutboxDispatcher outboxDispatcher,
      MetricsExporter outboxMetrics) {
    return OutboxPoller.builder()
        .connectionProvider(connectionProvider)
        .outboxStore(outboxStore)
        .handler(new DispatcherPollerHandler(outboxDispatcher))
        .claimLocking(Duration.ofMinutes(5))
        .metrics(outboxMetrics)
        .build();
  }

  @Bean
  OutboxPurgeScheduler outboxPurgeScheduler(ConnectionProvider connectionProvider) {
    return OutboxPurgeScheduler.builder()
        .connectionProvider(connectionProvider)
        .purger(new H2EventPurger())
        .retention(Duration.ofDays(7))
        .build();
  }

  // docs:begin writer
  /** Takes part in the transactions of {@code @Transactional} methods. */
  @Bean
  OutboxWriter outboxWriter(
      DataSource dataSource,
      ConfigurableTransactionManager transactionManager,
      OutboxStore outboxStore,
      OutboxDispatcher outboxDispatcher) {
    return new OutboxWriter(
        new SpringTxContext(dataSource, transactionManager),
        outboxStore,
        new DispatcherWriterHook(outboxDispatcher));
  }

  // docs:end writer

  @Bean
  DeadEventManager deadEventManager(
      ConnectionProvider connectionProvider, OutboxStore outboxStore) {
    return new DeadEventManager(connectionProvider, outboxStore);
  }
}
