package outbox.jdbc;

import static java.time.Duration.ofMinutes;

import java.sql.DriverManager;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.store.PostgresOutboxStore;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.ConnectionProvider;

/** Delivers as many large events as its second argument says from the database of the first. */
final class LargeEventRelay {

  private LargeEventRelay() {}

  public static void main(String[] arguments) throws Exception {
    ConnectionProvider connections = () -> DriverManager.getConnection(arguments[0]);
    PostgresOutboxStore store = new PostgresOutboxStore();
    CountDownLatch left = new CountDownLatch(Integer.parseInt(arguments[1]));
    boolean isComplete;
    try (OutboxDispatcher dispatcher =
            OutboxDispatcher.builder()
                .connectionProvider(connections)
                .outboxStore(store)
                .listenerRegistry(
                    new DefaultListenerRegistry()
                        .register(
                            "Large",
                            event -> {
                              LockSupport.parkNanos(2_000_000);
                              left.countDown();
                            }))
                .build();
        OutboxPoller poller =
            OutboxPoller.builder()
                .connectionProvider(connections)
                .outboxStore(store)
                .handler(new DispatcherPollerHandler(dispatcher))
                .batchSize(500)
                .intervalMs(50)
                .claimLocking(ofMinutes(5))
                .build()) {
      poller.start();
      isComplete = left.await(90, TimeUnit.SECONDS);
    }
    System.exit(isComplete ? 0 : 1);
  }
}
