package outbox.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.EventInterceptor;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/**
 * How fast one node with default settings works off a backlog that is in the database when it
 * starts, on each database, with and without claims. Prints a table.
 */
public final class BacklogDrain {

  private static final int EVENTS = 20_000;
  private static final int ROUNDS = 3;
  private static final String PAYLOAD = "{\"text\":\"" + "x".repeat(280) + "\"}";

  private BacklogDrain() {}

  public static void main(String[] arguments) throws Exception {
    System.out.printf("%-12s %-10s %12s%n", "database", "claims", "events/s");
    for (int round = 0; round < ROUNDS; round++) {
      for (Database server : List.of(Databases.h2(), Databases.postgres(), Databases.mariaDb())) {
        for (boolean claims : List.of(false, true)) {
          try (Database database = server.fresh()) {
            System.out.printf(
                Locale.ROOT,
                "%-12s %-10s %12.0f%n",
                server.name(),
                claims ? "yes" : "no",
                drain(database, claims));
          }
        }
      }
    }
  }

  private static double drain(Database database, boolean claims) throws Exception {
    DataSource dataSource = database.pooled();
    AbstractJdbcOutboxStore store = JdbcOutboxStores.detect(dataSource);
    OutboxSchema.detect(dataSource).apply(dataSource);
    fill(dataSource, store);

    ConnectionProvider connections = new DataSourceConnectionProvider(dataSource);
    CountDownLatch delivered = new CountDownLatch(EVENTS);
    long start = System.nanoTime();
    try (OutboxDispatcher dispatcher =
            OutboxDispatcher.builder()
                .connectionProvider(connections)
                .outboxStore(store)
                .listenerRegistry(new DefaultListenerRegistry().register("Tick", event -> {}))
                .interceptor(EventInterceptor.after((event, error) -> delivered.countDown()))
                .build();
        OutboxPoller poller = poller(connections, store, dispatcher, claims)) {
      poller.start();
      if (!delivered.await(5, TimeUnit.MINUTES)) {
        throw new IllegalStateException(delivered.getCount() + " events were not delivered");
      }
    }
    return EVENTS * 1e9 / (System.nanoTime() - start);
  }

  private static OutboxPoller poller(
      ConnectionProvider connections,
      AbstractJdbcOutboxStore store,
      OutboxDispatcher dispatcher,
      boolean claims) {
    OutboxPoller.Builder builder =
        OutboxPoller.builder()
            .connectionProvider(connections)
            .outboxStore(store)
            .handler(new DispatcherPollerHandler(dispatcher));
    return (claims ? builder.claimLocking(Duration.ofMinutes(5)) : builder).build();
  }

  private static void fill(DataSource dataSource, AbstractJdbcOutboxStore store)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      store.insertBatch(
          connection,
          IntStream.range(0, EVENTS).mapToObj(i -> EventEnvelope.ofJson("Tick", PAYLOAD)).toList());
    }
  }
}
