package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.EventDetails;
import outbox.spi.EventArchiver;
import outbox.spi.PurgeRequest;
import outbox.spi.PurgeRequest.Scope;

/** What is purged by its kind and archived before that. */
abstract class SelectivePurgeContract {

  /** The purger under test with the store that fills its table; asked for once per test. */
  protected abstract StoreFixture fixture();

  @SuppressWarnings("NullAway.Init")
  StoreFixture fixture;

  @SuppressWarnings("NullAway.Init")
  StoreSession session;

  private final List<EventDetails> archived = new ArrayList<>();

  @BeforeEach
  void emptyTheTable() throws Exception {
    fixture = fixture();
    fixture.cleanup().run();
    session = new StoreSession(fixture);
  }

  @Test
  void purgerIsSelective() {
    assertThat(fixture.purger().isSelective()).isTrue();
  }

  @Test
  void purgeOfDoneEventsLeavesTheDead() {
    EventEnvelope done = done();
    EventEnvelope dead = dead();
    EventEnvelope fresh = session.insert("T");

    assertThat(purge(Scope.DONE, StoreSession.soon(), 10)).isEqualTo(1);

    assertThat(session.find(done)).isEmpty();
    assertThat(session.find(dead)).isPresent();
    assertThat(session.find(fresh)).isPresent();
  }

  @Test
  void purgeOfDeadEventsLeavesTheDone() {
    EventEnvelope done = done();
    EventEnvelope dead = dead();
    EventEnvelope replayed = dead();
    session.replay(replayed);

    assertThat(purge(Scope.DEAD, StoreSession.soon(), 10)).isEqualTo(1);

    assertThat(session.find(done)).isPresent();
    assertThat(session.find(dead)).isEmpty();
    assertThat(session.find(replayed)).isPresent();
  }

  @Test
  void purgeByCreationTakesOnlyWhatNobodyHasTouched() {
    EventEnvelope claimed = session.insert("T");
    session.claim("node-1", StoreSession.soon(), 10);
    EventEnvelope retried = session.insert("T");
    session.markRetry(retried, StoreSession.now(), "e");
    EventEnvelope done = done();
    EventEnvelope dead = dead();
    EventEnvelope untouched = session.insert("T");

    assertThat(purge(Scope.UNCLAIMED, StoreSession.soon(), 10)).isEqualTo(1);

    assertThat(session.find(untouched)).isEmpty();
    assertThat(List.of(claimed, retried, done, dead))
        .allSatisfy(event -> assertThat(session.find(event)).isPresent());
  }

  @Test
  void ageOfAnUntouchedEventCountsFromItsCreation() {
    EventEnvelope event = session.insert("T");
    Instant createdAt = session.row(event).event().createdAt();

    assertThat(purge(Scope.UNCLAIMED, createdAt, 10)).isZero();
    assertThat(purge(Scope.UNCLAIMED, createdAt.plusNanos(1000), 10)).isEqualTo(1);
  }

  @Test
  void everyScopeKeepsToItsLimitOldestFirst() {
    for (Scope scope : Scope.values()) {
      List<EventEnvelope> events =
          IntStream.range(0, 5)
              .mapToObj(
                  i ->
                      switch (scope) {
                        case DONE -> done();
                        case DEAD -> dead();
                        case UNCLAIMED -> session.insert("T");
                      })
              .toList();

      assertThat(purge(scope, StoreSession.soon(), 0)).isZero();
      assertThat(purge(scope, StoreSession.soon(), 3)).isEqualTo(3);

      assertThat(events.subList(0, 3)).allSatisfy(e -> assertThat(session.find(e)).isEmpty());
      assertThat(events.subList(3, 5)).allSatisfy(e -> assertThat(session.find(e)).isPresent());
      assertThat(purge(scope, StoreSession.soon(), 3)).isEqualTo(2);
    }
  }

  @Test
  void archiverGetsAllThatIsKnownOfWhatIsDeletedAndNothingElse() {
    EventEnvelope event =
        EventEnvelope.builder("T")
            .aggregateType("Order")
            .aggregateId("42")
            .tenantId("acme")
            .headers(Map.of("k", "v"))
            .payloadJson("{\"a\": 1}")
            .build();
    session.insertDead(event);
    EventDetails row = session.row(event);
    dead();
    done();

    assertThat(purge(Scope.DEAD, StoreSession.soon(), 1, archived::addAll)).isEqualTo(1);

    assertThat(archived).containsExactly(row);
    assertThat(session.find(event)).isEmpty();
  }

  @Test
  void archiverIsLeftInPeaceWhenNothingIsOldEnough() {
    EventEnvelope done = done();
    List<Integer> calls = new ArrayList<>();

    Instant before = session.row(done).event().createdAt().minusSeconds(1);
    for (Scope scope : Scope.values()) {
      assertThat(purge(scope, before, 10, events -> calls.add(events.size()))).isZero();
    }

    assertThat(calls).isEmpty();
  }

  @Test
  void failingArchiverKeepsEveryEvent() {
    List<EventEnvelope> events = List.of(done(), done(), done());
    EventArchiver full =
        batch -> {
          throw new IOException("no space left");
        };

    session.call(
        connection ->
            assertThatThrownBy(() -> fixture.purger().purge(connection, request(Scope.DONE, full)))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining(events.get(0).eventId())
                .hasRootCauseMessage("no space left"));

    assertThat(events).allSatisfy(event -> assertThat(session.find(event)).isPresent());
    assertThat(purge(Scope.DONE, StoreSession.soon(), 10, archived::addAll)).isEqualTo(3);
    assertThat(archived).hasSize(3);
  }

  /** Some databases lock more than they return, so the other may find nothing just now. */
  @Test
  void otherPurgersPassOverWhatIsBeingArchived() {
    List<EventEnvelope> events = List.of(done(), done());
    EventArchiver slow =
        batch -> {
          purge(Scope.DONE, StoreSession.soon(), 10, archived::addAll);
          archived.addAll(batch);
        };

    assertThat(purge(Scope.DONE, StoreSession.soon(), 1, slow)).isEqualTo(1);
    purge(Scope.DONE, StoreSession.soon(), 10, archived::addAll);

    assertThat(archived)
        .extracting(row -> row.event().eventId())
        .containsExactlyInAnyOrderElementsOf(events.stream().map(EventEnvelope::eventId).toList());
  }

  private EventEnvelope done() {
    EventEnvelope event = session.insert("T");
    session.markDone(event);
    return event;
  }

  private EventEnvelope dead() {
    return session.insertDead(EventEnvelope.ofJson("T", "{}"));
  }

  private int purge(Scope scope, Instant before, int limit) {
    return purge(scope, before, limit, EventArchiver.NONE);
  }

  private int purge(Scope scope, Instant before, int limit, EventArchiver archiver) {
    PurgeRequest request = new PurgeRequest(scope, before, limit, archiver);
    return session.call(connection -> fixture.purger().purge(connection, request));
  }

  private static PurgeRequest request(Scope scope, EventArchiver archiver) {
    return new PurgeRequest(scope, StoreSession.soon(), 10, archiver);
  }
}
