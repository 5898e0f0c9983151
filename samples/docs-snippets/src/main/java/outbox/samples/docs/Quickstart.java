package outbox.samples.docs;

// docs:begin imports
import java.sql.SQLException;
import java.time.Duration;
import org.h2.jdbcx.JdbcConnectionPool;
import outbox.EventListener;
import outbox.OutboxWriter;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.jdbc.tx.ThreadLocalTxContext;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;

// docs:end imports

/** The README's first example: one event, from a transaction to its listener, on H2. */
public final class Quickstart {

  private Quickstart() {}

  public static void main(String[] args) throws SQLException {
    // docs:begin quickstart
    var dataSource = JdbcConnectionPool.create("jdbc:h2:mem:shop", "sa", "");
    OutboxSchema.detect(dataSource).apply(dataSource);
    var store = JdbcOutboxStores.detect(dataSource);
    var connections = new DataSourceConnectionProvider(dataSource);
    var tx = new ThreadLocalTxContext();
    EventListener listener = event -> System.out.println("delivered " + event.payloadJson());

    try (var dispatcher =
            OutboxDispatcher.builder()
                .connectionProvider(connections)
                .outboxStore(store)
                .listenerRegistry(new DefaultListenerRegistry().register("OrderPlaced", listener))
                .build();
        var poller =
            OutboxPoller.builder()
                .connectionProvider(connections)
                .outboxStore(store)
                .handler(new DispatcherPollerHandler(dispatcher))
                .claimLocking(Duration.ofMinutes(5))
                .build()) {
      poller.start();
      var writer = new OutboxWriter(tx, store, new DispatcherWriterHook(dispatcher));
      try (var transaction = new JdbcTransactionManager(connections, tx).begin()) {
        // your own statements go here, on tx.currentConnection()
        writer.write("OrderPlaced", "{\"orderId\":42}");
        transaction.commit();
      }
    }
    // docs:end quickstart
    dataSource.dispose();
  }
}
