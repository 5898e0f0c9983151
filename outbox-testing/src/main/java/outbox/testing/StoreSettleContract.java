package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.spi.Claim;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.Outcome;
import outbox.spi.Settlement;

/** What a store fetches for a poller, and how it is told what became of it. */
abstract class StoreSettleContract extends StoreClaimContract {

  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final Outcome DELIVERED = new Outcome.Delivered(false);

  /** Whoever passes what follows may say so, and has to: nobody trusts its claims else. */
  @Test
  void saysThatItSettlesExactly() {
    assertThat(session.store().settlesExactly()).isTrue();
  }

  @Test
  void fetchUnderAClaimLocksAndWithoutOneDoesNot() {
    EventEnvelope event = session.insert("T");
    Claim claim = claim("node-1", StoreSession.soon());

    assertThat(fetch(EventFilter.ALL, null)).hasSize(1);
    assertThat(session.row(event).lockedBy()).isNull();
    assertThat(fetch(EventFilter.ALL, claim)).hasSize(1);
    assertThat(fetch(EventFilter.ALL, claim("node-2", claim.lockedAt()))).isEmpty();

    assertThat(session.row(event).lockedBy()).isEqualTo("node-1");
    assertThat(session.row(event).lockedAt()).isEqualTo(claim.lockedAt());
  }

  @Test
  void whatHadAnotherHolderIsTakenOver() {
    session.insert("T");
    Instant first = StoreSession.soon();
    List<Fetched> fresh = fetch(EventFilter.ALL, claim("node-1", first));
    session.insert("T");

    List<Fetched> later =
        fetch(EventFilter.ALL, claim("node-2", first.plus(TIMEOUT).plusSeconds(1)));

    assertThat(fresh).extracting(Fetched::takenOver).containsExactly(false);
    assertThat(later).extracting(Fetched::takenOver).containsExactly(true, false);
  }

  @Test
  void releasedEventIsNotTakenOver() {
    EventEnvelope event = session.insert("T");
    Claim claim = claim("node-1", StoreSession.soon());
    fetch(EventFilter.ALL, claim);
    settle(claim, new Outcome.Released(), event);

    assertThat(fetch(EventFilter.ALL, claim("node-2", claim.lockedAt())))
        .extracting(Fetched::takenOver)
        .containsExactly(false);
  }

  @Test
  void filterTakesOnlyWhatIsWanted() {
    EventEnvelope a = session.insert(event("A", "Order", "t1"));
    EventEnvelope b = session.insert(event("B", "Order", "t2"));
    EventEnvelope c = session.insert(event("A", "User", null));

    assertThat(filtered(EventFilter.ALL.withEventTypes(Set.of("A", "X"))))
        .containsExactly(a.eventId(), c.eventId());
    assertThat(filtered(EventFilter.ALL.withAggregateTypes(Set.of("Order"))))
        .containsExactly(a.eventId(), b.eventId());
    assertThat(filtered(EventFilter.ALL.withTenantIds(Set.of("t2", "t3"))))
        .containsExactly(b.eventId());
    assertThat(filtered(new EventFilter(Set.of("A"), Set.of("User"), Set.of())))
        .containsExactly(c.eventId());
    assertThat(filtered(EventFilter.ALL.withEventTypes(Set.of("it's {\"odd\\")))).isEmpty();
  }

  @Test
  void filteredClaimLocksOnlyWhatItReturns() {
    EventEnvelope wanted = session.insert("A");
    EventEnvelope unwanted = session.insert("B");

    List<Fetched> fetched =
        fetch(EventFilter.ALL.withEventTypes(Set.of("A")), claim("node-1", StoreSession.soon()));

    assertThat(fetched).extracting(row -> row.event().eventId()).containsExactly(wanted.eventId());
    assertThat(session.row(unwanted).lockedBy()).isNull();
  }

  @Test
  void fetchCanStartWhereTheLastOneDid() {
    session.insert("T");
    EventEnvelope later = session.insert("T");
    Instant dueSince = session.row(later).availableAt();

    List<Fetched> fetched =
        session.call(
            connection ->
                session
                    .store()
                    .fetch(
                        connection,
                        new Fetch(
                            StoreSession.soon(),
                            Duration.ZERO,
                            10,
                            EventFilter.ALL,
                            null,
                            dueSince)));

    assertThat(fetched).extracting(found -> found.event().eventId()).endsWith(later.eventId());
  }

  @Test
  void manyAreSettledAtOnce() {
    List<EventEnvelope> events =
        IntStream.range(0, 1100).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();
    session.insertAll(events);
    Claim claim = claim("node-1", StoreSession.soon());
    session.call(
        connection -> session.store().fetch(connection, fetchOf(EventFilter.ALL, claim, 2000)));

    int changed = settle(claim, DELIVERED, events.toArray(EventEnvelope[]::new));

    assertThat(changed).isEqualTo(1100);
    assertThat(Stream.of(0, 511, 512, 1023, 1099).map(events::get).map(session::row))
        .allSatisfy(
            row -> {
              assertThat(row.status()).isEqualTo(EventStatus.DONE);
              assertThat(row.doneAt()).isNotNull();
              assertThat(row.lockedBy()).isNull();
              assertThat(row.lockedAt()).isNull();
            });
  }

  @Test
  void tellsWhatIsStillHeld() {
    List<EventEnvelope> events = IntStream.range(0, 5).mapToObj(i -> session.insert("T")).toList();
    Claim ours = claim("node-1", StoreSession.soon());
    Claim earlier = claim("node-1", ours.lockedAt().minusMillis(1));
    fetch(EventFilter.ALL, ours);
    settle(ours, DELIVERED, events.get(0));
    settle(ours, new Outcome.Released(), events.get(1));
    List<Settlement> asked = new ArrayList<>();
    events.forEach(event -> asked.add(new Settlement(event.eventId(), ours, DELIVERED)));
    asked.add(new Settlement(events.get(2).eventId(), earlier, DELIVERED));
    asked.add(new Settlement(events.get(3).eventId(), claim("node-2", ours.lockedAt()), DELIVERED));
    asked.add(new Settlement(events.get(0).eventId(), null, DELIVERED));
    asked.add(new Settlement(events.get(1).eventId(), null, DELIVERED));

    List<Settlement> held =
        session.call(connection -> session.store().held(connection, List.copyOf(asked)));

    assertThat(held).containsExactly(asked.get(2), asked.get(3), asked.get(4), asked.get(8));
  }

  @Test
  void mixedOutcomesAreSettledTogether() {
    Claim claim = claim("node-1", StoreSession.soon());
    List<EventEnvelope> events = IntStream.range(0, 6).mapToObj(i -> session.insert("T")).toList();
    fetch(EventFilter.ALL, claim);
    Instant nextAt = StoreSession.now().plusSeconds(60);
    List<Outcome> outcomes =
        List.of(
            DELIVERED,
            new Outcome.Retry(3, nextAt, "again"),
            new Outcome.Dead(10, "x".repeat(5000)),
            new Outcome.Deferred(2, nextAt),
            new Outcome.Released(),
            new Outcome.Delivered(true));
    List<Settlement> settlements = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      settlements.add(new Settlement(events.get(i).eventId(), claim, outcomes.get(i)));
    }

    int changed = session.call(connection -> session.store().settle(connection, settlements));

    assertThat(changed).isEqualTo(6);
    assertThat(session.row(events.get(0)).status()).isEqualTo(EventStatus.DONE);
    assertRow(events.get(1), EventStatus.RETRY, 3, nextAt);
    assertThat(session.row(events.get(1)).lastError()).isEqualTo("again");
    EventDetails dead = session.row(events.get(2));
    assertThat(dead.status()).isEqualTo(EventStatus.DEAD);
    assertThat(dead.event().attempts()).isEqualTo(10);
    assertThat(dead.lastError()).hasSize(4000);
    assertThat(dead.doneAt()).isNotNull();
    assertRow(events.get(3), EventStatus.NEW, 2, nextAt);
    assertRow(events.get(4), EventStatus.NEW, 0, session.row(events.get(4)).availableAt());
    assertThat(session.find(events.get(5))).isEmpty();
  }

  @Test
  void nodeThatLostItsClaimChangesNothing() {
    EventEnvelope event = session.insert("T");
    Claim lost = claim("node-1", StoreSession.soon());
    fetch(EventFilter.ALL, lost);
    fetch(EventFilter.ALL, claim("node-2", lost.lockedAt().plus(TIMEOUT).plusSeconds(1)));
    EventDetails before = session.row(event);

    List<Outcome> outcomes =
        List.of(
            DELIVERED,
            new Outcome.Delivered(true),
            new Outcome.Retry(1, StoreSession.now(), "e"),
            new Outcome.Dead(1, "e"),
            new Outcome.Deferred(0, StoreSession.now()),
            new Outcome.Released(),
            new Outcome.Started(1),
            new Outcome.Kept(claim("node-1", lost.lockedAt().plusSeconds(1))));

    assertThat(outcomes).allSatisfy(outcome -> assertThat(settle(lost, outcome, event)).isZero());
    assertThat(session.row(event)).isEqualTo(before);
  }

  @Test
  void ownOlderClaimChangesNothing() {
    EventEnvelope event = session.insert("T");
    Claim first = claim("node-1", StoreSession.soon());
    fetch(EventFilter.ALL, first);
    Claim second = claim("node-1", first.lockedAt().plus(TIMEOUT).plusSeconds(1));
    fetch(EventFilter.ALL, second);

    assertThat(settle(first, DELIVERED, event)).isZero();
    assertThat(settle(second, DELIVERED, event)).isEqualTo(1);
  }

  @Test
  void finalStatesStayWhateverIsSettled() {
    EventEnvelope done = session.insert("T");
    session.markDone(done);
    EventEnvelope dead = session.insertDead(EventEnvelope.ofJson("T", "{}"));
    List<EventDetails> before = List.of(session.row(done), session.row(dead));

    Stream.of(
            DELIVERED,
            new Outcome.Delivered(true),
            new Outcome.Retry(1, StoreSession.now(), "e"),
            new Outcome.Dead(1, "e"))
        .forEach(outcome -> assertThat(settle(null, outcome, done, dead)).isZero());

    assertThat(List.of(session.row(done), session.row(dead))).isEqualTo(before);
  }

  @Test
  void eventThatIsTwiceInAGroupIsChangedOnce() {
    EventEnvelope twice = session.insert("T");
    EventEnvelope once = session.insert("T");

    assertThat(settle(null, DELIVERED, twice, once, twice)).isEqualTo(2);

    assertThat(session.row(twice).status()).isEqualTo(EventStatus.DONE);
    assertThat(session.row(once).status()).isEqualTo(EventStatus.DONE);
  }

  @Test
  void keptClaimHoldsFromItsRenewalOn() {
    EventEnvelope event = session.insert("T");
    Claim claim = claim("node-1", StoreSession.soon());
    fetch(EventFilter.ALL, claim);
    Claim renewed = claim("node-1", claim.lockedAt().plusSeconds(200));

    assertThat(settle(claim, new Outcome.Kept(renewed), event)).isEqualTo(1);

    Instant firstExpired = claim.lockedAt().plus(TIMEOUT).plusSeconds(1);
    assertThat(fetch(EventFilter.ALL, claim("node-2", firstExpired))).isEmpty();
    assertThat(settle(claim, DELIVERED, event)).isZero();
    assertThat(settle(renewed, DELIVERED, event)).isEqualTo(1);
  }

  @Test
  void startedTryCountsAndStaysClaimed() {
    EventEnvelope event = session.insert("T");
    Claim claim = claim("node-1", StoreSession.soon());
    fetch(EventFilter.ALL, claim);

    assertThat(settle(claim, new Outcome.Started(1), event)).isEqualTo(1);

    assertThat(session.row(event).event().attempts()).isEqualTo(1);
    assertThat(session.row(event).lockedBy()).isEqualTo("node-1");
  }

  @Test
  void triesStartedTogetherAreCountedEachForItself() {
    List<EventEnvelope> events = List.of(session.insert("T"), session.insert("T"));
    EventEnvelope third = session.insert("T");
    Claim claim = claim("node-1", StoreSession.soon());
    fetch(EventFilter.ALL, claim);
    List<Settlement> started =
        List.of(
            new Settlement(events.get(0).eventId(), claim, new Outcome.Started(1)),
            new Settlement(third.eventId(), claim, new Outcome.Started(3)),
            new Settlement(events.get(1).eventId(), claim, new Outcome.Started(1)));

    int changed = session.call(connection -> session.store().settle(connection, started));

    assertThat(changed).isEqualTo(3);
    assertThat(events)
        .allSatisfy(event -> assertThat(session.row(event).event().attempts()).isEqualTo(1));
    assertThat(session.row(third).event().attempts()).isEqualTo(3);
  }

  @Test
  void settlementTakesPartInTheTransaction() {
    EventEnvelope event = session.insert("T");
    EventDetails before = session.row(event);

    session.inTransaction(
        connection -> {
          session
              .store()
              .settle(connection, List.of(new Settlement(event.eventId(), null, DELIVERED)));
          connection.rollback();
          return connection;
        });

    assertThat(session.row(event)).isEqualTo(before);
  }

  @Test
  void clockIsTheDatabases() {
    session.call(
        connection -> {
          session.store().alignClock(connection);
          return connection;
        });
    EventEnvelope event = session.insert("T");

    assertThat(session.store().clock().instant())
        .isCloseTo(
            session.row(event).event().createdAt(),
            within(StoreSession.SLACK.toMillis(), ChronoUnit.MILLIS));
  }

  private void assertRow(EventEnvelope event, EventStatus status, int attempts, Instant nextAt) {
    EventDetails row = session.row(event);
    assertThat(row.status()).isEqualTo(status);
    assertThat(row.event().attempts()).isEqualTo(attempts);
    assertThat(row.availableAt()).isEqualTo(nextAt);
    assertThat(row.lockedBy()).isNull();
    assertThat(row.lockedAt()).isNull();
  }

  private int settle(@Nullable Claim claim, Outcome outcome, EventEnvelope... events) {
    List<Settlement> settlements =
        Stream.of(events).map(event -> new Settlement(event.eventId(), claim, outcome)).toList();
    return session.call(connection -> session.store().settle(connection, settlements));
  }

  private List<String> filtered(EventFilter filter) {
    return fetch(filter, null).stream().map(row -> row.event().eventId()).toList();
  }

  private List<Fetched> fetch(EventFilter filter, @Nullable Claim claim) {
    return session.call(
        connection -> session.store().fetch(connection, fetchOf(filter, claim, 10)));
  }

  private static Fetch fetchOf(EventFilter filter, @Nullable Claim claim, int limit) {
    Instant now = claim == null ? StoreSession.soon() : claim.lockedAt();
    return new Fetch(now, Duration.ZERO, limit, filter, claim, null);
  }

  private static Claim claim(String ownerId, Instant lockedAt) {
    return Claim.starting(ownerId, Clock.fixed(lockedAt, ZoneOffset.UTC), TIMEOUT);
  }

  private static EventEnvelope event(
      String eventType, String aggregateType, @Nullable String tenantId) {
    return EventEnvelope.builder(eventType)
        .aggregateType(aggregateType)
        .tenantId(tenantId)
        .payloadJson("{}")
        .build();
  }
}
