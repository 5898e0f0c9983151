package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static outbox.destination.ScriptedDestination.IS_AWAY;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.RelayBuilder;
import outbox.WriterHook;
import outbox.jdbc.database.JdbcDatabase;
import outbox.spi.Transaction;
import outbox.testing.RecordingMetrics;
import outbox.testing.databases.Database;

/** What a fan-out promises: each destination gets each event, whatever becomes of the others. */
abstract class FanOutContract {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String TRIED =
      "SELECT COUNT(*) FROM outbox_event WHERE last_error LIKE '%suppressed%'";

  private final Sink a = new Sink("a");
  private final Sink b = new Sink("b");
  private final Sink c = new Sink("c");
  private Database fresh;
  private JdbcDatabase database;

  abstract Database server();

  @BeforeEach
  void createTable() {
    fresh = server().fresh();
    database = JdbcDatabase.of(fresh.pooled()).createTable();
  }

  @AfterEach
  void dropDatabase() {
    fresh.close();
  }

  @Test
  void aDestinationThatIsAwayNeitherHoldsBackNorRepeatsTheOthers() throws Exception {
    c.destination.script = IS_AWAY;
    List<String> ids;
    try (Outbox outbox = start(Outbox.multiNode().routableOnly(), routes(), database::begin)) {
      ids = write(outbox, 200);

      await().atMost(PATIENCE).untilAsserted(() -> assertThat(a.ids()).hasSize(200));
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(b.ids()).hasSize(200));
      await().atMost(PATIENCE).until(() -> c.guard.health().outages() > 0);
      c.recover();
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(c.ids()).hasSize(200));
      await().atMost(PATIENCE).until(() -> unfinished() == 0);
    }

    assertThat(a.ids()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(b.ids()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(c.ids()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(number("SELECT MAX(attempts) FROM outbox_event")).isZero();
  }

  @Test
  void besideADestinationThatIsAwayTheOthersGetTheirsFromMemory() throws Exception {
    RecordingMetrics metrics = new RecordingMetrics();
    c.guard.pause();

    try (Outbox outbox =
        start(Outbox.multiNode().routableOnly().metrics(metrics), routes(), database::begin)) {
      write(outbox, 20);
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(a.ids()).hasSize(20));
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(b.ids()).hasSize(20));
    }

    assertThat(metrics.hotDropped()).isZero();
    assertThat(c.ids()).isEmpty();
    assertThat(unfinished()).isEqualTo(20);
  }

  @Test
  void theEventArrivesAsItWasWritten() throws Exception {
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .aggregateType("Order")
            .aggregateId("order-1")
            .tenantId("acme")
            .header("region", "eu")
            .payloadBytes(new byte[] {0, -1, 1})
            .build();

    try (Outbox outbox = start(Outbox.multiNode(), routes(), database::begin)) {
      write(outbox, List.of(event));
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(a.ids()).hasSize(1));
    }

    EventEnvelope arrived = a.taken.get(0);
    assertThat(arrived.eventId()).isEqualTo(event.eventId());
    assertThat(arrived.eventType()).isEqualTo("OrderPlaced");
    assertThat(arrived.aggregateType()).isEqualTo("Order");
    assertThat(arrived.aggregateId()).isEqualTo("order-1");
    assertThat(arrived.tenantId()).isEqualTo("acme");
    assertThat(arrived.headers()).isEqualTo(event.headers());
    assertThat(arrived.occurredAt()).isEqualTo(event.occurredAt());
    assertThat(arrived.payloadBytes()).isEqualTo(event.payloadBytes());
  }

  /** As if the process died between the commit of the copies and the event's end, or before. */
  @Test
  void copiesAreThereOnceHoweverTheirTransactionsEnd() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    List<String> ids;

    try (Outbox outbox =
        start(Outbox.multiNode(), routes(), () -> breaking(calls.incrementAndGet()))) {
      ids = write(outbox, 100);
      await().atMost(PATIENCE).until(() -> unfinished() == 0);
    }

    assertThat(calls.get()).isGreaterThan(2);
    assertThat(a.ids()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(b.ids()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(c.ids()).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void progressOutlivesRestarts() throws Exception {
    c.destination.script = IS_AWAY;
    List<String> ids = new ArrayList<>();

    for (int i = 0; i < 4; i++) {
      try (Outbox outbox = start(Outbox.multiNode(), routes(), database::begin)) {
        ids.addAll(write(outbox, 50));
        await().atMost(PATIENCE).until(() -> !a.ids().isEmpty());
      }
    }
    c.recover();
    try (Outbox outbox = start(Outbox.multiNode(), routes(), database::begin)) {
      ids.addAll(write(outbox, 50));
      await().atMost(PATIENCE).until(() -> unfinished() == 0);
    }

    assertThat(a.ids()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(b.ids()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(c.ids()).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void inOrderAFailingHeadHoldsItsKeyForItsDestinationOnly() throws Exception {
    b.destination.script =
        (events, result) -> {
          for (EventEnvelope event : events) {
            if ("key-1".equals(event.aggregateId())) {
              result.failed(event, new IllegalStateException("not this one"));
            } else {
              b.taken.add(event);
            }
          }
          return CompletableFuture.completedFuture(null);
        };
    List<EventEnvelope> written = keyed(60);

    try (Outbox outbox =
        start(
            Outbox.ordered().dispatcher(dispatcher -> dispatcher.maxAttempts(1000)),
            DestinationRoutes.builder().otherwise(a.guard, b.guard).build(),
            database::begin)) {
      write(outbox, written);

      await().atMost(PATIENCE).untilAsserted(() -> assertThat(a.taken).hasSize(60));
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(b.taken).hasSize(40));
      b.recover();
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(b.taken).hasSize(60));
    }

    for (String key : List.of("key-0", "key-1", "key-2")) {
      assertThat(idsOf(key, a.taken)).isEqualTo(idsOf(key, written));
      assertThat(idsOf(key, b.taken)).isEqualTo(idsOf(key, written));
    }
  }

  @Test
  void anEventWhoseCopiesAreSuppressedIsNotDone() throws Exception {
    WriterHook suppressing =
        new WriterHook() {
          @Override
          public List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
            return events.stream()
                .filter(event -> !event.eventType().startsWith("outbox-to:"))
                .toList();
          }
        };

    try (Outbox outbox =
        start(Outbox.multiNode().writerHook(suppressing), routes(), database::begin)) {
      write(outbox, 1);
      await().atMost(PATIENCE).until(() -> number(TRIED) == 1);
    }

    assertThat(number("SELECT COUNT(*) FROM outbox_event")).isEqualTo(1);
    assertThat(unfinished()).isEqualTo(1);
  }

  private DestinationRoutes routes() {
    return DestinationRoutes.builder()
        .route(EventMatch.ofType("OrderPlaced"), a.guard, b.guard, c.guard)
        .build();
  }

  private Outbox start(
      RelayBuilder<?> builder, DestinationRoutes routes, Callable<? extends Transaction> begin) {
    Outbox outbox = builder.database(database).listenerRegistry(routes).build();
    routes.fanOutBy(outbox.writer(), begin);
    outbox.start();
    return outbox;
  }

  private List<String> write(Outbox outbox, int count) throws SQLException {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(EventEnvelope.ofJson("OrderPlaced", "{\"i\":%d}".formatted(i)));
    }
    return write(outbox, events);
  }

  private List<String> write(Outbox outbox, List<EventEnvelope> events) throws SQLException {
    try (var tx = database.begin()) {
      List<String> ids = outbox.writer().writeAll(events);
      tx.commit();
      return ids;
    }
  }

  private static List<EventEnvelope> keyed(int count) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(
          EventEnvelope.builder("OrderPlaced")
              .aggregateType("Order")
              .aggregateId("key-" + i % 3)
              .payloadJson("{}")
              .build());
    }
    return events;
  }

  private static List<String> idsOf(String key, List<EventEnvelope> events) {
    return events.stream()
        .filter(event -> key.equals(event.aggregateId()))
        .map(EventEnvelope::eventId)
        .toList();
  }

  /** Of the first transactions every third fails before its commit, every third after it. */
  private Transaction breaking(int call) throws SQLException {
    Transaction real = database.begin();
    return new Transaction() {
      @Override
      public void commit() throws SQLException {
        if (call < 9 && call % 3 == 1) {
          throw new SQLException("process died before the commit");
        }
        real.commit();
        if (call < 9 && call % 3 == 2) {
          throw new SQLException("process died after the commit");
        }
      }

      @Override
      public void rollback() throws SQLException {
        real.rollback();
      }

      @Override
      public void close() throws SQLException {
        real.close();
      }
    };
  }

  private long unfinished() throws SQLException {
    return number("SELECT COUNT(*) FROM outbox_event WHERE done_at IS NULL");
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = fresh.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }

  /** A destination, its guard, and what it took. */
  private static final class Sink {

    final ScriptedDestination destination;
    final GuardedDestination guard;
    final List<EventEnvelope> taken = new CopyOnWriteArrayList<>();

    Sink(String name) {
      destination = new ScriptedDestination(name);
      guard =
          GuardedDestination.builder(destination)
              .probeAfter(Duration.ofMillis(100), Duration.ofMillis(500))
              .build();
      recover();
    }

    void recover() {
      destination.script =
          (events, result) -> {
            taken.addAll(events);
            return CompletableFuture.completedFuture(null);
          };
    }

    List<String> ids() {
      return taken.stream().map(EventEnvelope::eventId).toList();
    }
  }
}
