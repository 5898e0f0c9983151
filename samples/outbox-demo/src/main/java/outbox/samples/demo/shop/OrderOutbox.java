package outbox.samples.demo.shop;

import java.time.Duration;
import javax.sql.DataSource;
import outbox.OutboxWriter;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.jdbc.tx.ThreadLocalTxContext;
import outbox.poller.OutboxPoller;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;

/** The whole outbox of an application, from its DataSource to its listeners. */
public final class OrderOutbox implements AutoCloseable {

  /** Small, so that the burst of the demo is more than it holds. */
  public static final int HOT_QUEUE_CAPACITY = 300;

  private final ConnectionProvider connections;
  private final OutboxStore store;
  private final ThreadLocalTxContext txContext;
  private final JdbcTransactionManager transactions;
  private final OutboxDispatcher dispatcher;
  private final OutboxPoller poller;
  private final OutboxWriter writer;

  public OrderOutbox(DataSource dataSource, ListenerRegistry listeners, MetricsExporter metrics) {
    // docs:begin wiring
    connections = new DataSourceConnectionProvider(dataSource);
    store = JdbcOutboxStores.detect(dataSource);

    dispatcher =
        OutboxDispatcher.builder()
            .connectionProvider(connections)
            .outboxStore(store)
            .listenerRegistry(listeners)
            .retryPolicy(new ExponentialBackoffRetryPolicy(150, 600))
            .maxAttempts(5)
            .hotQueueCapacity(HOT_QUEUE_CAPACITY)
            .metrics(metrics)
            .build();

    poller =
        OutboxPoller.builder()
            .connectionProvider(connections)
            .outboxStore(store)
            .handler(new DispatcherPollerHandler(dispatcher))
            .claimLocking(Duration.ofMinutes(5))
            .intervalMs(500)
            .metrics(metrics)
            .build();
    poller.start();

    txContext = new ThreadLocalTxContext();
    transactions = new JdbcTransactionManager(connections, txContext);
    writer = new OutboxWriter(txContext, store, new DispatcherWriterHook(dispatcher));
    // docs:end wiring
  }

  public JdbcTransactionManager transactions() {
    return transactions;
  }

  public ThreadLocalTxContext txContext() {
    return txContext;
  }

  public OutboxWriter writer() {
    return writer;
  }

  public OutboxPoller poller() {
    return poller;
  }

  ConnectionProvider connections() {
    return connections;
  }

  OutboxStore store() {
    return store;
  }

  @Override
  public void close() {
    poller.close();
    dispatcher.close();
  }
}
