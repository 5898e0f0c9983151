package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.WriteResult;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.jdbc.tx.JdbcTransactionManager.Transaction;
import outbox.jdbc.tx.ThreadLocalTxContext;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.testing.RecordingListener;
import outbox.testing.RecordingMetrics;
import outbox.testing.StoreFixture;

/** What a node with the hot path does with what its transactions wrote, on a real database. */
abstract class WritingContract {

  static final int MANY = 100_000;
  private static final int HOT_CAPACITY = 1000;
  private static final String TYPE = "OrderPlaced";

  private final ThreadLocalTxContext txContext = new ThreadLocalTxContext();
  private final List<Instant> delivered = new CopyOnWriteArrayList<>();
  private final RecordingListener listener =
      new RecordingListener(event -> delivered.add(Clock.systemUTC().instant()));
  private final RecordingMetrics metrics = new RecordingMetrics();

  private StoreFixture fixture;
  private JdbcTransactionManager transactions;
  private OutboxDispatcher dispatcher;
  private OutboxPoller poller;
  private OutboxWriter writer;

  abstract StoreFixture fixture();

  /** How many events a transaction writes with a statement for each; each costs a round trip. */
  int oneByOne() {
    return MANY / 5;
  }

  @BeforeEach
  void startTheNode() throws Exception {
    fixture = fixture();
    fixture.cleanup().run();
    transactions = new JdbcTransactionManager(fixture.connections(), txContext);
    dispatcher =
        OutboxDispatcher.builder()
            .connectionProvider(fixture.connections())
            .outboxStore(fixture.store())
            .listenerRegistry(new DefaultListenerRegistry().register(TYPE, listener))
            .hotQueueCapacity(HOT_CAPACITY)
            .workerCount(1)
            .metrics(metrics)
            .build();
    poller =
        OutboxPoller.builder()
            .connectionProvider(fixture.connections())
            .outboxStore(fixture.store())
            .handler(new DispatcherPollerHandler(dispatcher))
            .claimLocking("node-1", Duration.ofMinutes(5))
            .intervalMs(Duration.ofHours(1).toMillis())
            .build();
    writer = new OutboxWriter(txContext, fixture.store(), new DispatcherWriterHook(dispatcher));
  }

  @AfterEach
  void stopTheNode() {
    poller.close();
    dispatcher.close();
  }

  @Test
  void eventWhoseSavepointWasRolledBackIsNeverDelivered() throws SQLException {
    try (Transaction transaction = transactions.begin()) {
      Connection connection = txContext.currentConnection();
      writer.write(event("kept"));
      Savepoint outer = connection.setSavepoint();
      writer.write(event("taken back"));
      connection.rollback(outer);
      writer.write(event("also kept"));
      Savepoint inner = connection.setSavepoint("inner");
      writer.write(event("gone"));
      connection.rollback(inner);
      assertThat(writer.writeIfAbsent(event("gone"))).isEqualTo(WriteResult.WRITTEN);
      connection.rollback(inner);
      transaction.commit();
    }

    await().atMost(Duration.ofMinutes(1)).until(() -> listener.count() == 2);
    dispatcher.close();
    assertThat(listener.events())
        .extracting(EventEnvelope::eventId)
        .containsExactly("kept", "also kept");
    assertThat(metrics.hotEnqueued()).isEqualTo(2);
  }

  @Test
  void concurrentWritersOfOneIdMakeOneEvent() {
    List<CompletableFuture<WriteResult>> writers =
        IntStream.range(0, 8)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> writeIfAbsent("same")))
            .toList();

    assertThat(writers.stream().map(CompletableFuture::join))
        .containsOnlyOnce(WriteResult.WRITTEN)
        .containsOnly(WriteResult.WRITTEN, WriteResult.ALREADY_THERE);
    await().atMost(Duration.ofMinutes(1)).until(() -> listener.count() == 1);
    dispatcher.close();
    assertThat(listener.count()).isEqualTo(1);
  }

  @Test
  void heldBackEventIsDeliveredWhenItIsDue() throws SQLException {
    poller.start();
    Instant due = Clock.systemUTC().instant().plusMillis(700);
    try (Transaction transaction = transactions.begin()) {
      writer.write(EventEnvelope.builder(TYPE).availableAt(due).payloadJson("{}").build());
      transaction.commit();
    }

    await().atMost(Duration.ofMinutes(1)).until(() -> delivered.size() == 1);
    assertThat(delivered.get(0)).isBetween(due, due.plusSeconds(60));
    assertThat(metrics.hotEnqueued()).isZero();
    assertThat(listener.events().get(0).availableAt()).isEqualTo(due);
  }

  @Test
  void hundredThousandEventsAreWrittenAtOnce() throws SQLException {
    List<EventEnvelope> events =
        IntStream.range(0, MANY).mapToObj(i -> EventEnvelope.ofJson(TYPE, "{}")).toList();

    try (Transaction transaction = transactions.begin()) {
      assertThat(writer.writeAll(events)).hasSize(MANY);
      transaction.commit();
    }

    assertThat(metrics.hotDropped()).isEqualTo(MANY);
    assertThat(pending(MANY + 1)).isEqualTo(MANY);
    assertThat(claimed()).isZero();
  }

  @Test
  void manyEventsAreWrittenOneByOne() throws SQLException {
    int many = oneByOne();
    try (Transaction transaction = transactions.begin()) {
      for (int i = 0; i < many; i++) {
        writer.write(TYPE, "{}");
      }
      transaction.commit();
    }

    assertThat(metrics.hotEnqueued()).isEqualTo(HOT_CAPACITY);
    assertThat(metrics.hotDropped()).isEqualTo(many - HOT_CAPACITY);
    await().atMost(Duration.ofMinutes(1)).until(() -> listener.count() == HOT_CAPACITY);
    dispatcher.close();
    assertThat(pending(many + 1)).isEqualTo(many - HOT_CAPACITY);
    assertThat(claimed()).isZero();
  }

  private WriteResult writeIfAbsent(String eventId) {
    try (Transaction transaction = transactions.begin()) {
      WriteResult result = writer.writeIfAbsent(event(eventId));
      transaction.commit();
      return result;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private int pending(int limit) throws SQLException {
    Instant soon = Clock.systemUTC().instant().plusSeconds(60);
    try (Connection connection = fixture.connections().getConnection()) {
      return fixture.store().pollPending(connection, soon, Duration.ZERO, limit).size();
    }
  }

  /** How many pending rows nobody but this node could take. */
  private int claimed() throws SQLException {
    Instant soon = Clock.systemUTC().instant().plusSeconds(60);
    try (Connection connection = fixture.connections().getConnection()) {
      int all = fixture.store().pollPending(connection, soon, Duration.ZERO, 5000).size();
      int free =
          fixture
              .store()
              .claimPending(connection, "node-2", soon, Instant.EPOCH, Duration.ZERO, 5000)
              .size();
      return all - free;
    }
  }

  private static EventEnvelope event(String eventId) {
    return EventEnvelope.builder(TYPE).eventId(eventId).payloadJson("{}").build();
  }
}
