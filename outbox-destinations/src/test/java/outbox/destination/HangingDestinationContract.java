package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.RelayBuilder;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.database.JdbcDatabase;
import outbox.testing.databases.Database;

/**
 * One destination of three never answers. Its guard would find out after minutes only, so that
 * whatever the others deliver, they deliver while it hangs.
 */
@Timeout(300)
abstract class HangingDestinationContract {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration NEVER = Duration.ofHours(1);
  private static final int EVENTS = 1500;
  private static final int LATER = 300;
  private static final String[] TYPES = {"Hanging", "B", "C"};

  private final Sink hanging = new Sink("hanging");
  private final Sink b = new Sink("b");
  private final Sink c = new Sink("c");
  private final DestinationRoutes routes =
      DestinationRoutes.builder()
          .route(EventMatch.eventType("Hanging"), hanging.guard)
          .route(EventMatch.eventType("B"), b.guard)
          .route(EventMatch.eventType("C"), c.guard)
          .build();
  private final AtomicInteger started = new AtomicInteger();
  private Database fresh;
  private JdbcDatabase database;

  abstract Database server();

  @BeforeEach
  void createTable() {
    fresh = server().fresh();
    database = JdbcDatabase.of(fresh.pooled()).createTable();
    hanging.destination.script =
        (events, result) -> {
          started.incrementAndGet();
          return new CompletableFuture<>();
        };
  }

  @AfterEach
  void dropDatabase() {
    routes.close();
    fresh.close();
  }

  @Test
  void othersAreDeliveredMeanwhileBySeveralNodes() throws Exception {
    assertOthersAreDelivered(Outbox.multiNode().routableOnly());
  }

  @Test
  void othersAreDeliveredMeanwhileByOneNode() throws Exception {
    assertOthersAreDelivered(Outbox.singleNode());
  }

  @Test
  void othersAreDeliveredMeanwhileInOrder() throws Exception {
    assertOthersAreDelivered(Outbox.ordered());
  }

  @Test
  void itGetsItsEventsInOrderWhenItIsBack() throws Exception {
    write(EVENTS, TYPES);
    runUntil(Outbox.ordered(), () -> b.taken.size() + c.taken.size() == 2 * EVENTS);
    hanging.recover();

    runUntil(Outbox.ordered(), () -> unfinished() == 0);

    assertThat(hanging.taken).hasSize(EVENTS);
    assertThat(hanging.misplaced).hasValue(0);
    assertThat(b.misplaced).hasValue(0);
    assertThat(number("SELECT MAX(attempts) FROM outbox_event")).isZero();
  }

  @Test
  void inOrderNothingIsPutOffThatItWouldNotTake() throws Exception {
    hanging.recover();
    try (Outbox outbox = start(Outbox.ordered())) {
      write(outbox, 100, TYPES);
      await().atMost(PATIENCE).until(() -> hanging.taken.size() == 100);
      hanging.guard.pause();
      write(outbox, EVENTS, TYPES);
      await().atMost(PATIENCE).until(() -> b.taken.size() + c.taken.size() == 2 * (EVENTS + 100));
      assertThat(hanging.guard.health().deferred()).isZero();

      hanging.guard.resume();
      await().atMost(PATIENCE).until(() -> unfinished() == 0);
    }

    assertThat(hanging.taken).hasSize(EVENTS + 100);
    assertThat(hanging.misplaced).hasValue(0);
  }

  /** Its aggregates have to give up their memory for others to be read. */
  @Test
  void othersAreFoundInOrderBehindMoreOfItsThanFitIntoMemory() throws Exception {
    write(100, "B", "C"); // or it would be the only one at first, and have all places
    write(12_000, "Hanging");
    write(LATER, "B", "C");

    runUntil(Outbox.ordered(), () -> b.taken.size() + c.taken.size() == 2 * (100 + LATER));

    assertThat(b.misplaced).hasValue(0);
    assertThat(c.misplaced).hasValue(0);
  }

  private void runUntil(RelayBuilder<?> builder, Callable<Boolean> isSo) {
    Outbox outbox = start(builder);
    try {
      await().atMost(PATIENCE).until(isSo);
    } finally {
      outbox.close();
    }
  }

  private void assertOthersAreDelivered(RelayBuilder<?> builder) throws Exception {
    write(EVENTS, TYPES);
    try (Outbox outbox = start(builder)) {
      await().atMost(PATIENCE).until(() -> b.taken.size() + c.taken.size() == 2 * EVENTS);
      write(outbox, LATER, TYPES);
      await().atMost(PATIENCE).until(() -> b.taken.size() + c.taken.size() == 2 * (EVENTS + LATER));
      await().atMost(PATIENCE).until(() -> unfinished() == EVENTS + LATER);
      assertThat(hanging.guard.health().state()).isEqualTo(DestinationHealth.State.UP);
    }

    assertThat(started).hasPositiveValue();
    assertThat(hanging.taken).isEmpty();
    assertThat(number("SELECT MAX(attempts) FROM outbox_event")).isZero();
    assertThat(number("SELECT COUNT(*) FROM outbox_event WHERE locked_by IS NOT NULL")).isZero();
  }

  /** With so little room that the hanging one's events would fill it many times. */
  private Outbox start(RelayBuilder<?> builder) {
    Outbox outbox =
        builder
            .database(database)
            .listenerRegistry(routes)
            .dispatcher(HangingDestinationContract::narrow)
            .build();
    outbox.start();
    return outbox;
  }

  private static OutboxDispatcher.Builder narrow(OutboxDispatcher.Builder settings) {
    return settings.asyncInFlight(64).coldQueueCapacity(400).drainTimeoutMs(200);
  }

  private void write(int count, String... types) throws SQLException {
    try (Outbox writer = Outbox.writerOnly().database(database).build()) {
      writer.start();
      write(writer, count, types);
    }
  }

  /** Of each type as many, of some aggregates. */
  private void write(Outbox outbox, int count, String... types) throws SQLException {
    for (int from = 0; from < count; from += 100) {
      List<EventEnvelope> events = new ArrayList<>();
      for (int i = from; i < from + 100; i++) {
        for (String type : types) {
          events.add(event(type, i));
        }
      }
      try (var tx = database.begin()) {
        outbox.writer().writeAll(events);
        tx.commit();
      }
    }
  }

  private static EventEnvelope event(String type, int number) {
    return EventEnvelope.builder(type)
        .aggregateType(type)
        .aggregateId("key-" + number % 500)
        .payloadJson("{}")
        .build();
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
    final Set<String> taken = ConcurrentHashMap.newKeySet();
    final AtomicInteger misplaced = new AtomicInteger();
    private final Map<String, String> lastOfKey = new ConcurrentHashMap<>();

    Sink(String name) {
      destination = new ScriptedDestination(name);
      guard = GuardedDestination.builder(destination).timeout(NEVER).build();
      recover();
    }

    void recover() {
      destination.script =
          (events, result) -> {
            events.forEach(this::take);
            return CompletableFuture.completedFuture(null);
          };
    }

    /** Ids grow, as they were written one after the other. */
    private void take(EventEnvelope event) {
      taken.add(event.eventId());
      String before = lastOfKey.put(event.aggregateId(), event.eventId());
      if (before != null && before.compareTo(event.eventId()) >= 0) {
        misplaced.incrementAndGet();
      }
    }
  }
}
