package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;

/** Writing the same event twice, writing for later, and taking back what was written. */
abstract class StoreWriteContract extends StoreInsertContract {

  private static final Claim CLAIM =
      Claim.starting("node-1", Clock.systemUTC(), Duration.ofMinutes(5));

  @Test
  void absentEventIsInsertedAsAnyOther() {
    EventEnvelope free = event("free");
    EventEnvelope claimed = event("claimed");

    assertThat(insertIfAbsent(free, null)).isTrue();
    assertThat(insertIfAbsent(claimed, CLAIM)).isTrue();

    assertThat(session.row(free).lockedBy()).isNull();
    assertThat(session.row(claimed).lockedBy()).isEqualTo("node-1");
    assertThat(session.row(claimed).lockedAt()).isEqualTo(CLAIM.lockedAt());
    assertThat(StoreSession.ids(session.poll(10))).containsExactlyInAnyOrder("free", "claimed");
  }

  @Test
  void eventThatIsThereStaysAsItIs() {
    EventEnvelope first = event("First", "same");
    session.insert(first);
    EventDetails before = session.row(first);

    assertThat(insertIfAbsent(event("Second", "same"), null)).isFalse();
    assertThat(insertIfAbsent(event("Second", "same"), CLAIM)).isFalse();

    assertThat(session.row(first)).isEqualTo(before);
  }

  @Test
  void eventThatHasEndedIsStillThere() {
    session.markDone(session.insert(event("done")));
    session.insertDead(event("dead"));

    assertThat(insertIfAbsent(event("done"), null)).isFalse();
    assertThat(insertIfAbsent(event("dead"), null)).isFalse();
  }

  @Test
  void transactionGoesOnAfterATakenId() {
    session.insert(event("there"));

    session.inTransaction(
        connection -> {
          session.store().insertNew(connection, event("before"));
          assertThat(insertIfAbsent(connection, event("there"))).isFalse();
          assertThat(insertIfAbsent(connection, event("new"))).isTrue();
          assertThat(insertIfAbsent(connection, event("new"))).isFalse();
          assertThat(insertIfAbsent(connection, event("before"))).isFalse();
          session.store().insertNew(connection, event("after"));
          connection.commit();
          return connection;
        });

    assertThat(StoreSession.ids(session.poll(10)))
        .containsExactlyInAnyOrder("there", "before", "new", "after");
  }

  @Test
  void rolledBackEventIsAbsentAgain() {
    session.inTransaction(
        connection -> {
          assertThat(insertIfAbsent(connection, event("e"))).isTrue();
          connection.rollback();
          return connection;
        });

    assertThat(insertIfAbsent(event("e"), null)).isTrue();
  }

  @Test
  void idThatWasTakenSinceTheTransactionBeganIsFound() {
    session.inTransaction(
        connection -> {
          assertThat(session.store().find(connection, "e")).isEmpty();
          session.insert(event("e"));
          assertThat(insertIfAbsent(connection, event("e"))).isFalse();
          connection.rollback();
          return connection;
        });
  }

  @Test
  void ofTwoTransactionsTheSecondWaitsAndFindsWhatTheFirstCommitted() {
    CompletableFuture<Boolean> second = afterTheFirst(Connection::commit);

    assertThat(second).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
    assertThat(StoreSession.ids(session.poll(10))).containsExactlyInAnyOrder("same", "other");
    assertThat(session.row(event("same")).event().eventType()).isEqualTo("First");
  }

  @Test
  void ofTwoTransactionsTheSecondWaitsAndWritesWhatTheFirstTookBack() {
    CompletableFuture<Boolean> second = afterTheFirst(Connection::rollback);

    assertThat(second).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
    assertThat(StoreSession.ids(session.poll(10))).containsExactlyInAnyOrder("same", "other");
    assertThat(session.row(event("same")).event().eventType()).isEqualTo("Second");
  }

  @Test
  void largestEventsFitIntoOneBatch() {
    String payload = '"' + "x".repeat(EventEnvelope.MAX_PAYLOAD_BYTES - 2) + '"';
    List<EventEnvelope> events =
        IntStream.range(0, 5).mapToObj(i -> EventEnvelope.ofJson("T", payload)).toList();

    session.insertAll(events);

    assertThat(session.poll(10))
        .extracting(OutboxEvent::eventId, row -> row.payloadJson().length())
        .isEqualTo(events.stream().map(e -> tuple(e.eventId(), payload.length())).toList());
  }

  @Test
  void heldBackEventIsDueAtItsTimeAndNotEarlier() {
    Instant due = StoreSession.now().plus(Duration.ofDays(3));
    EventEnvelope single = session.insert(held(due));
    EventEnvelope absent = held(due);
    insertIfAbsent(absent, null);
    List<EventEnvelope> batch = List.of(held(due), held(due));
    session.insertAll(batch);

    assertThat(session.row(single).availableAt()).isEqualTo(due);
    assertThat(session.poll(due.minusNanos(1000), Duration.ZERO, 10)).isEmpty();
    assertThat(session.claim("node-1", due.minusNanos(1000), 10)).isEmpty();
    assertThat(session.poll(due, Duration.ZERO, 10)).hasSize(4);
    assertThat(StoreSession.ids(session.claim("node-1", due, 10)))
        .containsExactlyInAnyOrder(
            single.eventId(), absent.eventId(), batch.get(0).eventId(), batch.get(1).eventId());
  }

  @Test
  void timeThatHasPassedMeansNow() {
    EventEnvelope event = session.insert(held(Instant.parse("2001-01-01T00:00:00Z")));

    EventDetails row = session.row(event);

    assertThat(row.availableAt()).isEqualTo(row.event().createdAt());
  }

  @Test
  void latestTimeIsKept() {
    Instant latest = Instant.parse("9999-12-31T23:59:59.999999Z");
    EventEnvelope event = session.insert(held(latest));

    assertThat(session.row(event).availableAt()).isEqualTo(latest);
    assertThat(decode(session.row(event).event()).availableAt()).isEqualTo(latest);
  }

  @Test
  void rollbackToASavepointTakesBackWhatWasWrittenSince() {
    session.inTransaction(
        connection -> {
          session.store().insertNew(connection, event("kept"));
          Savepoint savepoint = connection.setSavepoint();
          session.store().insertNew(connection, event("single"));
          session.store().insertBatch(connection, List.of(event("batch-1"), event("batch-2")));
          session.store().insertClaimed(connection, List.of(event("claimed")), CLAIM);
          assertThat(insertIfAbsent(connection, event("absent"))).isTrue();
          session.store().markDone(connection, "kept");
          connection.rollback(savepoint);
          assertThat(insertIfAbsent(connection, event("absent"))).isTrue();
          connection.commit();
          return connection;
        });

    assertThat(StoreSession.ids(session.poll(10))).containsExactlyInAnyOrder("kept", "absent");
  }

  /** What the second answers; it wrote another event, too, and committed. */
  private CompletableFuture<Boolean> afterTheFirst(Ending ending) {
    CompletableFuture<CompletableFuture<Boolean>> second = new CompletableFuture<>();
    session.inTransaction(
        first -> {
          assertThat(insertIfAbsent(first, event("First", "same"))).isTrue();
          CompletableFuture<Boolean> answer = CompletableFuture.supplyAsync(this::writeSecond);
          assertThatThrownBy(() -> answer.get(200, TimeUnit.MILLISECONDS))
              .isInstanceOf(TimeoutException.class);
          ending.of(first);
          second.complete(answer);
          return first;
        });
    return second.thenCompose(answer -> answer);
  }

  private boolean writeSecond() {
    boolean[] written = new boolean[1];
    session.inTransaction(
        connection -> {
          written[0] = insertIfAbsent(connection, event("Second", "same"));
          session.store().insertNew(connection, event("other"));
          connection.commit();
          return connection;
        });
    return written[0];
  }

  private interface Ending {
    void of(Connection connection) throws SQLException;
  }

  private boolean insertIfAbsent(EventEnvelope event, @Nullable Claim claim) {
    return session.call(connection -> session.store().insertIfAbsent(connection, event, claim));
  }

  private boolean insertIfAbsent(Connection connection, EventEnvelope event) {
    return session.store().insertIfAbsent(connection, event, null);
  }

  private static EventEnvelope held(Instant availableAt) {
    return EventEnvelope.builder("T").availableAt(availableAt).payloadJson("{}").build();
  }

  private static EventEnvelope event(String id) {
    return event("T", id);
  }

  private static EventEnvelope event(String eventType, String id) {
    return EventEnvelope.builder(eventType).eventId(id).payloadJson("{}").build();
  }
}
