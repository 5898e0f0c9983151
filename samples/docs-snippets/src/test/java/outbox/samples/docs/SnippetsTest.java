package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.dead.DeadEventManager;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.purge.OutboxPurgeScheduler;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;

/** What the pages quote does what they say. */
class SnippetsTest {

  private final EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{\"orderId\":42}");

  private JdbcConnectionPool dataSource;
  private ConnectionProvider connections;
  private OutboxStore store;

  @BeforeEach
  void createDatabase() {
    dataSource = JdbcConnectionPool.create("jdbc:h2:mem:snippets;DB_CLOSE_DELAY=-1", "sa", "");
    connections = new DataSourceConnectionProvider(dataSource);
    Schema.apply(dataSource);
    store = JdbcOutboxStores.detect(dataSource);
  }

  @AfterEach
  void dropDatabase() throws SQLException {
    execute("SHUTDOWN");
    dataSource.dispose();
  }

  @Test
  void schemaCanBeAppliedAtEveryStart() throws SQLException {
    insert(store, event);

    Schema.apply(dataSource);

    assertThat(pending(store)).containsExactly(event.eventId());
  }

  @Test
  void tableCanHaveAnotherNameInAnotherSchema() throws SQLException {
    execute("CREATE SCHEMA billing");

    Schema.Parts billing = Schema.inAnotherSchema(dataSource);
    insert(billing.store(), event);

    assertThat(pending(billing.store())).containsExactly(event.eventId());
    assertThat(pending(store)).isEmpty();
    try (Connection connection = dataSource.getConnection()) {
      billing.store().markDone(connection, event.eventId());
      Instant tomorrow = Instant.parse("2999-01-01T00:00:00Z");
      assertThat(billing.purger().purge(connection, tomorrow, 10)).isOne();
    }
  }

  @Test
  void replayedEventIsDelivered() throws SQLException {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    List<String> delivered = new CopyOnWriteArrayList<>();
    ListenerRegistry listeners =
        new DefaultListenerRegistry()
            .register(
                "OrderPlaced",
                placed -> {
                  if (isBroken.get()) {
                    throw new IllegalStateException("the warehouse is closed");
                  }
                  delivered.add(placed.payloadJson());
                });
    insert(store, event);

    try (OutboxDispatcher dispatcher = dispatcher(listeners);
        OutboxPoller poller = poller(dispatcher)) {
      poller.start();
      await().atMost(Duration.ofMinutes(1)).until(() -> status() == EventStatus.DEAD);
      isBroken.set(false);
      new Operations(connections, store).replay(poller);
      await().atMost(Duration.ofMinutes(1)).until(() -> status() == EventStatus.DONE);
    }

    assertThat(delivered).containsExactly("{\"orderId\":42}");
  }

  @Test
  void typedEventReachesItsListenerWithItsHeaders() throws SQLException {
    EventEnvelope placed = OrderEvents.placed("42", "{}");
    List<EventEnvelope> delivered = new CopyOnWriteArrayList<>();
    insert(store, placed);

    try (OutboxDispatcher dispatcher =
            dispatcher(OrderEvents.listeners(delivered::add, cancelled -> {}));
        OutboxPoller poller = poller(dispatcher)) {
      poller.poll();
    }

    assertThat(delivered).singleElement().extracting("headers").isEqualTo(placed.headers());
  }

  @Test
  void purgeLeavesWhatIsYoungerThanItsRetention() throws SQLException {
    insert(store, event);
    try (Connection connection = dataSource.getConnection()) {
      store.markDone(connection, event.eventId());
    }

    try (OutboxPurgeScheduler purge = new Operations(connections, store).purge()) {
      purge.runOnce();
    }

    assertThat(status()).isEqualTo(EventStatus.DONE);
  }

  private OutboxDispatcher dispatcher(ListenerRegistry listeners) {
    return OutboxDispatcher.builder()
        .connectionProvider(connections)
        .outboxStore(store)
        .listenerRegistry(listeners)
        .maxAttempts(1)
        .build();
  }

  private OutboxPoller poller(OutboxDispatcher dispatcher) {
    return OutboxPoller.builder()
        .connectionProvider(connections)
        .outboxStore(store)
        .handler(new DispatcherPollerHandler(dispatcher))
        .claimLocking(Duration.ofMinutes(5))
        .build();
  }

  private EventStatus status() {
    return new DeadEventManager(connections, store).find(event.eventId()).orElseThrow().status();
  }

  private void insert(OutboxStore into, EventEnvelope inserted) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      into.insertNew(connection, inserted);
    }
  }

  private List<String> pending(OutboxStore in) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Instant later = Instant.parse("2999-01-01T00:00:00Z");
      return in.pollPending(connection, later, Duration.ZERO, 10).stream()
          .map(OutboxEvent::eventId)
          .toList();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
