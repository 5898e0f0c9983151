package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

/** What the marks do to a row, and which rows are pending. */
abstract class StoreStatusContract extends StoreWriteContract {

  private static final Instant NEXT = Instant.parse("2040-05-06T07:08:09.123456Z");

  @Test
  void doneIsFinalAndHasItsTime() {
    EventEnvelope event = session.insert("T");

    int changed = session.markDone(event);

    EventDetails row = session.row(event);
    assertThat(changed).isEqualTo(1);
    assertThat(row.status()).isEqualTo(EventStatus.DONE);
    assertThat(row.event().attempts()).isZero();
    assertIsNow(row.doneAt());
    assertThat(session.poll(10)).isEmpty();
  }

  @Test
  void retryCountsAnAttemptAndWaitsUntilItsTime() {
    EventEnvelope event = session.insert("T");

    int changed = session.markRetry(event, NEXT, "connection refused");

    EventDetails row = session.row(event);
    assertThat(changed).isEqualTo(1);
    assertThat(row.status()).isEqualTo(EventStatus.RETRY);
    assertThat(row.event().attempts()).isEqualTo(1);
    assertThat(row.availableAt()).isEqualTo(NEXT);
    assertThat(row.lastError()).isEqualTo("connection refused");
    assertThat(row.doneAt()).isNull();
    assertThat(session.poll(NEXT.minusNanos(1000), Duration.ZERO, 10)).isEmpty();
    assertThat(session.poll(NEXT, Duration.ZERO, 10))
        .extracting(OutboxEvent::attempts)
        .containsExactly(1);
  }

  @Test
  void deadIsFinalAndSaysWhyAndAfterHowManyTries() {
    EventEnvelope event = session.insert("T");
    session.markRetry(event, StoreSession.now(), "first");
    session.markRetry(event, StoreSession.now(), "second");

    int changed = session.markDead(event, "third");

    EventDetails row = session.row(event);
    assertThat(changed).isEqualTo(1);
    assertThat(row.status()).isEqualTo(EventStatus.DEAD);
    assertThat(row.event().attempts()).isEqualTo(3);
    assertThat(row.lastError()).isEqualTo("third");
    assertIsNow(row.doneAt());
    assertThat(session.poll(10)).isEmpty();
  }

  @Test
  void lateMarksChangeNothingOnADoneRow() {
    EventEnvelope event = session.insert("T");
    session.markDone(event);
    EventDetails before = session.row(event);

    assertThat(session.markDone(event)).isZero();
    assertThat(session.markRetry(event, NEXT, "late")).isZero();
    assertThat(session.markDead(event, "late")).isZero();

    assertThat(session.row(event)).isEqualTo(before);
  }

  @Test
  void lateMarksChangeNothingOnADeadRow() {
    EventEnvelope event = session.insertDead(EventEnvelope.ofJson("T", "{}"));
    EventDetails before = session.row(event);

    assertThat(session.markDone(event)).isZero();
    assertThat(session.markRetry(event, NEXT, "late")).isZero();
    assertThat(session.markDead(event, "late")).isZero();

    assertThat(session.row(event)).isEqualTo(before);
  }

  @Test
  void marksOnAnUnknownEventChangeNothing() {
    EventEnvelope unknown = EventEnvelope.ofJson("T", "{}");

    assertThat(session.markDone(unknown)).isZero();
    assertThat(session.markRetry(unknown, NEXT, "e")).isZero();
    assertThat(session.markDead(unknown, "e")).isZero();
    assertThat(session.find(unknown)).isEmpty();
  }

  @Test
  void everyMarkReleasesTheClaim() {
    List<EventEnvelope> events =
        List.of(session.insert("T"), session.insert("T"), session.insert("T"));
    session.claim("node-1", StoreSession.soon(), 10);

    session.markDone(events.get(0));
    session.markRetry(events.get(1), NEXT, "e");
    session.markDead(events.get(2), "e");

    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(session.row(event).lockedBy()).isNull();
              assertThat(session.row(event).lockedAt()).isNull();
            });
  }

  @Test
  void longErrorsAreCutAtFourThousandCharacters() {
    EventEnvelope retried = session.insert("T");
    EventEnvelope dead = session.insert("T");
    EventEnvelope exact = session.insert("T");

    session.markRetry(retried, NEXT, "x".repeat(10_000));
    session.markDead(dead, "é".repeat(5000));
    session.markDead(exact, "y".repeat(4000));

    assertThat(session.row(retried).lastError()).isEqualTo("x".repeat(4000));
    assertThat(session.row(dead).lastError()).isEqualTo("é".repeat(4000));
    assertThat(session.row(exact).lastError()).isEqualTo("y".repeat(4000));
  }

  @Test
  void cutNeverSplitsAnEmoji() {
    EventEnvelope event = session.insert("T");

    session.markDead(event, "x" + "\uD83D\uDE80".repeat(2500));

    assertThat(session.row(event).lastError()).isEqualTo("x" + "\uD83D\uDE80".repeat(1999));
  }

  @Test
  void errorMayBeMissing() {
    EventEnvelope retried = session.insert("T");
    EventEnvelope dead = session.insert("T");

    session.markRetry(retried, NEXT, null);
    session.markDead(dead, null);

    assertThat(session.row(retried).lastError()).isNull();
    assertThat(session.row(dead).lastError()).isNull();
  }

  @Test
  void marksTakePartInTheTransaction() {
    EventEnvelope event = session.insert("T");
    EventDetails before = session.row(event);

    session.inTransaction(
        connection -> {
          session.store().markDone(connection, event.eventId());
          connection.rollback();
          session.store().markRetry(connection, event.eventId(), NEXT, "e");
          connection.rollback();
          session.store().markDead(connection, event.eventId(), "e");
          connection.rollback();
          return connection;
        });

    assertThat(session.row(event)).isEqualTo(before);
  }

  @Test
  void pollReturnsTheOldestFirstAndNoMoreThanAsked() {
    List<EventEnvelope> events = IntStream.range(0, 5).mapToObj(i -> session.insert("T")).toList();

    List<OutboxEvent> polled = session.poll(3);

    assertThat(StoreSession.ids(polled))
        .isEqualTo(events.subList(0, 3).stream().map(EventEnvelope::eventId).toList());
  }

  @Test
  void equalTimesAreOrderedById() {
    Instant sameTime = StoreSession.now();
    List<EventEnvelope> events =
        IntStream.range(0, 50).mapToObj(i -> occurredAt(sameTime)).toList();
    session.insertAll(events);

    List<String> ids = events.stream().map(EventEnvelope::eventId).toList();

    assertThat(StoreSession.ids(session.poll(50))).isEqualTo(ids);
    assertThat(StoreSession.ids(session.claim("node-1", StoreSession.soon(), 50))).isEqualTo(ids);
  }

  @Test
  void retriedEventKeepsItsPlaceInTheOrder() {
    EventEnvelope first = session.insert("T");
    EventEnvelope second = session.insert("T");
    session.markRetry(first, StoreSession.now(), "e");

    List<OutboxEvent> polled = session.poll(10);

    assertThat(StoreSession.ids(polled)).containsExactly(first.eventId(), second.eventId());
  }

  @Test
  void pollSkipsWhatIsTooRecent() {
    EventEnvelope event = session.insert("T");
    Instant createdAt = session.row(event).event().createdAt();
    Duration skipRecent = Duration.ofSeconds(10);

    assertThat(session.poll(createdAt.plus(skipRecent).minusNanos(1000), skipRecent, 10)).isEmpty();
    assertThat(session.poll(createdAt.plus(skipRecent), skipRecent, 10)).hasSize(1);
  }

  @Test
  void pollReturnsLockedRowsToo() {
    session.insert("T");
    session.claim("node-1", StoreSession.soon(), 10);

    assertThat(session.poll(10)).hasSize(1);
  }

  private static void assertIsNow(@Nullable Instant time) {
    assertThat(time)
        .isCloseTo(StoreSession.now(), within(StoreSession.SLACK.toMillis(), ChronoUnit.MILLIS));
  }
}
