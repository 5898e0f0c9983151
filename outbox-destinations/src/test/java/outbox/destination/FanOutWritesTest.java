package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.BatchEventListener;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxException;
import outbox.WriterHook;
import outbox.internal.BatchMarks;
import outbox.internal.SqlErrors;
import outbox.jdbc.database.JdbcDatabase;
import outbox.jdbc.store.H2OutboxStore;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** What becomes of the events of a batch whose copies can't be written. */
class FanOutWritesTest {

  private final Database fresh = Databases.h2().fresh();
  private final JdbcDatabase database = JdbcDatabase.of(fresh.pooled()).createTable();
  private final DestinationRoutes routes =
      DestinationRoutes.builder().otherwise(guarded("a"), guarded("b")).build();
  private final List<EventEnvelope> events = ScriptedDestination.events(3);

  @AfterEach
  void dropDatabase() {
    fresh.close();
  }

  @Test
  void anEventWhoseCopyCannotBeWrittenFailsAlone() {
    String refused = Copy.id(events.get(1).eventId(), "b");

    try (Outbox outbox =
        Outbox.writerOnly().database(database).writerHook(refusing(refused, refusal())).build()) {
      routes.fanOutBy(outbox.writer(), database::begin);
      BatchMarks marks = fanOut();

      assertThat(marks.failureOf(events.get(0))).isNull();
      assertThat(marks.failureOf(events.get(1))).hasMessageContaining("refused");
      assertThat(marks.failureOf(events.get(2))).isNull();
    }
  }

  @Test
  void whereNoTransactionCanBeBegunNothingMoreIsTried() {
    List<String> begun = new CopyOnWriteArrayList<>();

    try (Outbox outbox = Outbox.writerOnly().database(database).build()) {
      routes.fanOutBy(
          outbox.writer(),
          () -> {
            begun.add("one more");
            throw new IllegalStateException("no connection");
          });
      BatchMarks marks = fanOut();

      assertThat(events)
          .allSatisfy(
              event -> assertThat(marks.failureOf(event)).hasMessageContaining("no connection"));
    }
    assertThat(begun).hasSize(1);
  }

  @Test
  void whileTheDatabaseCannotBeReachedEventsWaitWithoutLosingAttempts() {
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger(DestinationRoutes.class.getName());
    Handler handler = keepingIn(logged);
    logger.addHandler(handler);
    try (Outbox outbox = Outbox.writerOnly().database(database).build()) {
      routes.fanOutBy(
          outbox.writer(),
          () -> {
            throw new SQLTransientConnectionException("no connection within 30 s");
          });
      BatchMarks marks = fanOut();

      assertThat(events).allSatisfy(event -> assertWaits(marks, event));
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(logged)
        .singleElement()
        .satisfies(
            warning ->
                assertThat(warning.getMessage())
                    .contains("events=3", "java.sql.SQLTransientConnectionException"));
  }

  @Test
  void whileTheDatabaseCannotWriteNothingIsTriedApart() throws Exception {
    List<String> begun = new CopyOnWriteArrayList<>();

    try (Outbox outbox = Outbox.writerOnly().database(database).build();
        Connection other = fresh.dataSource().getConnection()) {
      other.setAutoCommit(false);
      new H2OutboxStore().insertBatch(other, List.of(Copy.of(events.get(1), "b")));
      fanOutBy(outbox, begun);
      BatchMarks marks = fanOut();

      assertThat(events)
          .allSatisfy(
              event -> {
                assertWaits(marks, event);
                assertThat(SqlErrors.isLockTimeout(failureOf(marks, event))).isTrue();
              });
    }
    assertThat(begun).hasSize(2);
  }

  @Test
  void whatIsTriedApartEndsWhenTheDatabaseCannotWriteAnyMore() {
    List<String> begun = new CopyOnWriteArrayList<>();
    WriterHook hook =
        refusing(Copy.id(events.get(0).eventId(), "a"), refusal())
            .andThen(
                refusing(
                    Copy.id(events.get(1).eventId(), "a"),
                    new OutboxException("insert failed", SqlErrors.lockedRow())));

    try (Outbox outbox = Outbox.writerOnly().database(database).writerHook(hook).build()) {
      fanOutBy(outbox, begun);
      BatchMarks marks = fanOut();

      assertThat(marks.failureOf(events.get(0))).hasMessageContaining("refused");
      assertWaits(marks, events.get(1));
      assertWaits(marks, events.get(2));
    }
    assertThat(begun).hasSize(4);
  }

  @Test
  void whatWasSaidOfCopiesCanBeTakenBack() {
    try (Outbox outbox = Outbox.writerOnly().database(database).build()) {
      routes.fanOutBy(outbox.writer(), database::begin);
      routes.fanOutNoMore();

      assertThat(routes.canFanOut()).isFalse();
      assertThat(fanOut().failureOf(events.get(0))).isInstanceOf(DeferException.class);
    }
  }

  @Test
  void ifNobodySaidHowToWriteCopiesEventsWaitAndAWarningNamesTheRemedy() {
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger(DestinationRoutes.class.getName());
    Handler handler = keepingIn(logged);
    logger.addHandler(handler);
    try {
      BatchMarks marks = fanOut();

      assertThat(events)
          .allSatisfy(
              event -> assertThat(marks.failureOf(event)).isInstanceOf(DeferException.class));
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(logged)
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning.getLevel()).isEqualTo(Level.WARNING);
              assertThat(warning.getMessage())
                  .contains("call DestinationRoutes.fanOutBy", "events=3");
            });
  }

  private void fanOutBy(Outbox outbox, List<String> begun) {
    routes.fanOutBy(
        outbox.writer(),
        () -> {
          begun.add("one more");
          return database.begin();
        });
  }

  private static void assertWaits(BatchMarks marks, EventEnvelope event) {
    assertThat(marks.failureOf(event))
        .isInstanceOfSatisfying(
            DeferException.class,
            put -> assertThat(put.delay()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(3)));
  }

  private static Throwable failureOf(BatchMarks marks, EventEnvelope event) {
    return Objects.requireNonNull(marks.failureOf(event));
  }

  private BatchMarks fanOut() {
    BatchEventListener listener =
        (BatchEventListener) Objects.requireNonNull(routes.listenerFor("Order", "OrderPlaced"));
    BatchMarks marks = new BatchMarks(events);
    marks.run(() -> listener.onEvents(events, marks));
    return marks;
  }

  private static IllegalStateException refusal() {
    return new IllegalStateException("refused");
  }

  private static WriterHook refusing(String id, RuntimeException refusal) {
    return new WriterHook() {
      @Override
      public List<EventEnvelope> beforeWrite(List<EventEnvelope> written) {
        if (written.stream().anyMatch(event -> event.eventId().equals(id))) {
          throw refusal;
        }
        return written;
      }
    };
  }

  private static Handler keepingIn(List<LogRecord> records) {
    return new Handler() {
      @Override
      public void publish(LogRecord record) {
        records.add(record);
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  private static GuardedDestination guarded(String name) {
    return new GuardedDestination(new ScriptedDestination(name));
  }
}
