package outbox.samples.multids;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.jdbc.tx.JdbcTransactionManager.Transaction;
import outbox.jdbc.tx.ThreadLocalTxContext;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;

/** A part of the business with a database of its own, and in that database its own outbox. */
final class Department implements AutoCloseable {

  private final String name;
  private final String eventType;
  private final HikariDataSource dataSource;
  private final Listener listener = new Listener();
  private final Tables tables;
  private final ThreadLocalTxContext txContext;
  private final JdbcTransactionManager transactions;
  private final OutboxDispatcher dispatcher;
  private final OutboxPoller poller;
  private final OutboxWriter writer;

  Department(String name, String eventType) throws SQLException {
    this.name = name;
    this.eventType = eventType;
    dataSource = database(name);
    tables = new Tables(dataSource);
    tables.createDocuments();
    // docs:begin wiring
    OutboxSchema.detect(dataSource).apply(dataSource);
    ConnectionProvider connections = new DataSourceConnectionProvider(dataSource);
    OutboxStore store = JdbcOutboxStores.detect(dataSource);
    dispatcher =
        OutboxDispatcher.builder()
            .connectionProvider(connections)
            .outboxStore(store)
            .listenerRegistry(
                new DefaultListenerRegistry().register(name, eventType, listener::receive))
            .retryPolicy(new ExponentialBackoffRetryPolicy(50, 200))
            .maxAttempts(100)
            .build();
    poller =
        OutboxPoller.builder()
            .connectionProvider(connections)
            .outboxStore(store)
            .handler(new DispatcherPollerHandler(dispatcher))
            .claimLocking(name + "-1", Duration.ofMinutes(5))
            .intervalMs(500)
            .build();
    poller.start();
    txContext = new ThreadLocalTxContext();
    transactions = new JdbcTransactionManager(connections, txContext);
    writer = new OutboxWriter(txContext, store, new DispatcherWriterHook(dispatcher));
    // docs:end wiring
  }

  private static HikariDataSource database(String name) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl("jdbc:h2:mem:%s-%s".formatted(name, UUID.randomUUID()));
    return new HikariDataSource(config);
  }

  String name() {
    return name;
  }

  Listener listener() {
    return listener;
  }

  Tables tables() {
    return tables;
  }

  Transaction begin() throws SQLException {
    return transactions.begin();
  }

  /** Records a document in a transaction of its own. */
  void commit(String id) throws SQLException {
    try (Transaction transaction = begin()) {
      record(id);
      transaction.commit();
    }
  }

  /** Writes the row and its event in this department's transaction on the calling thread. */
  void record(String id) throws SQLException {
    writer.write(
        EventEnvelope.builder(eventType)
            .aggregateType(name)
            .aggregateId(id)
            .payloadJson("{\"id\":\"%s\"}".formatted(id))
            .build());
    String sql = "INSERT INTO document (id) VALUES (?)";
    try (PreparedStatement insert = txContext.currentConnection().prepareStatement(sql)) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  /** As if the database server were gone. */
  void loseDatabase() {
    dataSource.close();
  }

  @Override
  public void close() {
    poller.close();
    dispatcher.close();
    dataSource.close();
  }
}
