package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;

/** Who gets which rows when several nodes claim from one table. */
abstract class StoreClaimContract extends StoreStatusContract {

  private static final Duration LOCK_TIMEOUT = Duration.ofMinutes(5);

  @Test
  void claimLocksTheRowForItsOwner() {
    EventEnvelope event = session.insert("T");
    Instant now = StoreSession.soon();

    List<OutboxEvent> claimed = session.claim("node-1", now, 10);

    EventDetails row = session.row(event);
    assertThat(claimed).containsExactly(row.event());
    assertThat(row.status()).isEqualTo(EventStatus.NEW);
    assertThat(row.lockedBy()).isEqualTo("node-1");
    assertThat(row.lockedAt()).isEqualTo(now);
    assertThat(row.event().attempts()).isZero();
  }

  @Test
  void ownerIdIsKeptVerbatim() {
    EventEnvelope event = session.insert("T");
    String ownerId = "o".repeat(120) + " 'é\uD83D\uDE80";

    session.claim(ownerId, StoreSession.soon(), 10);

    assertThat(session.row(event).lockedBy()).isEqualTo(ownerId);
  }

  @Test
  void claimsOfTwoOwnersAreDisjointAndOldestFirst() {
    List<EventEnvelope> events = IntStream.range(0, 10).mapToObj(i -> session.insert("T")).toList();
    List<String> ids = events.stream().map(EventEnvelope::eventId).toList();
    Instant now = StoreSession.soon();

    List<OutboxEvent> first = session.claim("node-1", now, 4);
    List<OutboxEvent> second = session.claim("node-2", now, 10);

    assertThat(StoreSession.ids(first)).isEqualTo(ids.subList(0, 4));
    assertThat(StoreSession.ids(second)).isEqualTo(ids.subList(4, 10));
  }

  @Test
  void ownLiveClaimIsNotReturnedAgain() {
    session.insert("T");
    Instant now = StoreSession.soon();
    session.claim("node-1", now, 10);
    EventEnvelope later = session.insert("T");

    List<OutboxEvent> again = session.claim("node-1", now.plusSeconds(1), 10);

    assertThat(StoreSession.ids(again)).containsExactly(later.eventId());
    assertThat(session.claim("node-1", now.plusSeconds(1), 10)).isEmpty();
  }

  @Test
  void repeatedClaimAtTheSameInstantReturnsOnlyWhatIsNew() {
    session.insert("T");
    Instant now = StoreSession.soon();
    session.claim("node-1", now, 10);
    EventEnvelope later = session.insert("T");

    List<OutboxEvent> again = session.claim("node-1", now, 10);

    assertThat(StoreSession.ids(again)).containsExactly(later.eventId());
  }

  @Test
  void lockIsValidUntilItsTimeoutAndClaimableAfter() {
    EventEnvelope event = session.insert("T");
    Instant lockedAt = StoreSession.soon();
    session.claim("node-1", lockedAt, 10);

    List<OutboxEvent> tooEarly = session.claim("node-2", lockedAt.plus(LOCK_TIMEOUT), 10);
    List<OutboxEvent> expired =
        session.claim("node-2", lockedAt.plus(LOCK_TIMEOUT).plusNanos(1000), 10);

    assertThat(tooEarly).isEmpty();
    assertThat(StoreSession.ids(expired)).containsExactly(event.eventId());
    assertThat(session.row(event).lockedBy()).isEqualTo("node-2");
  }

  @Test
  void ownExpiredClaimIsClaimableAgain() {
    session.insert("T");
    Instant lockedAt = StoreSession.soon();
    session.claim("node-1", lockedAt, 10);

    List<OutboxEvent> again =
        session.claim("node-1", lockedAt.plus(LOCK_TIMEOUT).plusNanos(1000), 10);

    assertThat(again).hasSize(1);
  }

  @Test
  void claimTakesOnlyWhatIsDue() {
    EventEnvelope due = session.insert("T");
    EventEnvelope waiting = session.insert("T");
    EventEnvelope done = session.insert("T");
    EventEnvelope dead = session.insertDead(EventEnvelope.ofJson("T", "{}"));
    Instant now = StoreSession.soon();
    session.markRetry(waiting, now.plusNanos(1000), "e");
    session.markDone(done);

    List<OutboxEvent> claimed = session.claim("node-1", now, 10);

    assertThat(StoreSession.ids(claimed)).containsExactly(due.eventId());
    assertThat(session.row(waiting).lockedBy()).isNull();
    assertThat(session.row(dead).lockedBy()).isNull();
  }

  @Test
  void claimSkipsWhatIsTooRecent() {
    EventEnvelope event = session.insert("T");
    Instant createdAt = session.row(event).event().createdAt();
    Duration skipRecent = Duration.ofMinutes(10);
    Instant tooEarly = createdAt.plus(skipRecent).minusNanos(1000);

    assertThat(claim(tooEarly, skipRecent)).isEmpty();
    assertThat(claim(createdAt.plus(skipRecent), skipRecent)).hasSize(1);
  }

  @Test
  void nextDueTimesAreToldInTheirOrder() {
    Instant now = StoreSession.soon();
    session.insert("T");
    insertDueAt(now.plusSeconds(30), "T");
    insertDueAt(now.plusSeconds(10), "T");
    EventEnvelope failed = session.insert("T");
    session.markRetry(failed, now.plusSeconds(20), "e");
    insertDueAt(now, "T");
    insertDueAt(now.plusSeconds(60).plusNanos(1000), "T");
    insertDueAt(now.plusSeconds(15), "Other");
    session.markDone(insertDueAt(now.plusSeconds(16), "T"));
    session.markDead(insertDueAt(now.plusSeconds(17), "T"), "e");
    EventFilter filter = EventFilter.ALL.withEventTypes(Set.of("T"));

    assertThat(dueTimes(now, 10, filter))
        .containsExactly(now.plusSeconds(10), now.plusSeconds(20), now.plusSeconds(30));
    assertThat(dueTimes(now, 2, filter)).containsExactly(now.plusSeconds(10), now.plusSeconds(20));
    assertThat(dueTimes(now, 10, EventFilter.ALL)).hasSize(4).contains(now.plusSeconds(15));
    assertThat(dueTimes(now.plusSeconds(20), 1, filter)).containsExactly(now.plusSeconds(30));
  }

  private EventEnvelope insertDueAt(Instant due, String eventType) {
    EventEnvelope event =
        EventEnvelope.builder(eventType).availableAt(due).payloadJson("{}").build();
    session.insert(event);
    return event;
  }

  private List<Instant> dueTimes(Instant now, int limit, EventFilter filter) {
    Fetch later = new Fetch(now, Duration.ZERO, limit, filter, null, null);
    return session.call(
        connection -> session.store().dueTimes(connection, later, now.plusSeconds(60)));
  }

  @Test
  void nothingPendingClaimsNothing() {
    assertThat(session.claim("node-1", StoreSession.soon(), 10)).isEmpty();
  }

  @Test
  void insertedClaimHoldsOthersOffUntilItExpires() {
    EventEnvelope event = EventEnvelope.ofJson("T", "{}");
    Instant now = StoreSession.now();

    boolean inserted = insertClaimed(List.of(event), "node-1", now);

    EventDetails row = session.row(event);
    assertThat(inserted).isTrue();
    assertThat(row.status()).isEqualTo(EventStatus.NEW);
    assertThat(row.lockedBy()).isEqualTo("node-1");
    assertThat(row.lockedAt()).isEqualTo(now);
    assertThat(session.claim("node-2", now.plus(StoreSession.SLACK), 10)).isEmpty();
    assertThat(session.claim("node-1", now.plus(StoreSession.SLACK), 10)).isEmpty();
    assertThat(session.claim("node-2", now.plus(LOCK_TIMEOUT).plusNanos(1000), 10)).hasSize(1);
  }

  @Test
  void insertedClaimsCoverAWholeBatch() {
    List<EventEnvelope> events =
        IntStream.range(0, 1200).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();

    insertClaimed(events, "node-1", StoreSession.now());

    assertThat(session.poll(2000)).hasSize(1200);
    assertThat(session.claim("node-2", StoreSession.soon(), 10)).isEmpty();
  }

  @Test
  void releasedClaimsAreFreeAtOnceAndUncounted() {
    List<EventEnvelope> events = IntStream.range(0, 3).mapToObj(i -> session.insert("T")).toList();
    Instant now = StoreSession.soon();
    List<EventDetails> before = events.stream().map(session::row).toList();
    session.claim("node-1", now, 10);

    int released = session.release("node-1", events.stream().map(EventEnvelope::eventId).toList());

    assertThat(released).isEqualTo(3);
    assertThat(events).extracting(session::row).isEqualTo(before);
    assertThat(session.claim("node-2", now, 10)).hasSize(3);
  }

  @Test
  void releaseLeavesAloneWhatItsOwnerDoesNotHold() {
    EventEnvelope mine = session.insert("T");
    EventEnvelope done = session.insert("T");
    Instant now = StoreSession.soon();
    session.claim("node-1", now, 10);
    session.markDone(done);
    EventEnvelope others = session.insert("T");
    session.claim("node-2", now, 10);

    int released =
        session.release(
            "node-1", List.of(mine.eventId(), done.eventId(), others.eventId(), "unknown"));

    assertThat(released).isEqualTo(1);
    assertThat(session.row(others).lockedBy()).isEqualTo("node-2");
    assertThat(session.row(done).status()).isEqualTo(EventStatus.DONE);
  }

  @Test
  void releaseTakesManyIdsOrNone() {
    List<EventEnvelope> events =
        IntStream.range(0, 1200).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();
    insertClaimed(events, "node-1", StoreSession.now());

    assertThat(session.release("node-1", List.of())).isZero();
    assertThat(session.release("node-1", events.stream().map(EventEnvelope::eventId).toList()))
        .isEqualTo(1200);
  }

  @Test
  void claimLeavesTheConnectionAsItWas() {
    session.insert("T");
    Instant now = StoreSession.soon();

    session.call(
        connection -> {
          boolean autoCommit = connection.getAutoCommit();
          claimOn(connection, now);
          assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
          assertThat(connection.isClosed()).isFalse();
          return connection;
        });
  }

  @Test
  void claimTakesPartInTheTransaction() {
    EventEnvelope event = session.insert("T");
    Instant now = StoreSession.soon();

    session.inTransaction(
        connection -> {
          assertThat(claimOn(connection, now)).hasSize(1);
          connection.rollback();
          return connection;
        });

    assertThat(session.row(event).lockedBy()).isNull();
  }

  @Test
  void concurrentClaimsNeverShareARow() throws Exception {
    int rows = 400;
    session.insertAll(
        IntStream.range(0, rows).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList());
    Instant now = StoreSession.soon();

    List<String> claimed = new ArrayList<>();
    ExecutorService nodes = Executors.newFixedThreadPool(4);
    try {
      List<Callable<List<String>>> work =
          IntStream.range(0, 4)
              .mapToObj(node -> (Callable<List<String>>) () -> claimAll("node-" + node, now))
              .toList();
      for (Future<List<String>> result : nodes.invokeAll(work)) {
        claimed.addAll(result.get());
      }
    } finally {
      nodes.shutdownNow();
    }

    assertThat(claimed).hasSize(rows);
    assertThat(new HashSet<>(claimed)).hasSize(rows);
  }

  private List<String> claimAll(String ownerId, Instant now) {
    List<String> claimed = new ArrayList<>();
    for (int empty = 0; empty < 3; ) {
      List<OutboxEvent> batch = session.claim(ownerId, now, 7);
      empty = batch.isEmpty() ? empty + 1 : 0;
      claimed.addAll(StoreSession.ids(batch));
    }
    return claimed;
  }

  private List<OutboxEvent> claim(Instant now, Duration skipRecent) {
    return session.call(
        connection ->
            session
                .store()
                .claimPending(connection, "node-1", now, now.minus(LOCK_TIMEOUT), skipRecent, 10));
  }

  private List<OutboxEvent> claimOn(Connection connection, Instant now) {
    return session
        .store()
        .claimPending(connection, "node-1", now, now.minus(LOCK_TIMEOUT), Duration.ZERO, 10);
  }

  private boolean insertClaimed(List<EventEnvelope> events, String ownerId, Instant now) {
    Claim claim = Claim.starting(ownerId, Clock.fixed(now, ZoneOffset.UTC), LOCK_TIMEOUT);
    return session.call(connection -> session.store().insertClaimed(connection, events, claim));
  }
}
