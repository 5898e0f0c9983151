package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

/**
 * What every {@link outbox.spi.OutboxStore} promises: inserting, marking, polling, claiming, and
 * the dead letters below. A subclass supplies the {@link StoreFixture}; rows are looked at through
 * the store only.
 */
public abstract class OutboxStoreContract extends StoreBacklogContract {

  @Test
  void deadEventsAreFoundOldestFirst() {
    List<EventEnvelope> dead =
        IntStream.range(0, 3).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();
    dead.forEach(session::insert);
    session.markDead(dead.get(2), "e");
    session.markDead(dead.get(0), "e");
    session.markDead(dead.get(1), "e");
    session.insert("Pending");
    session.markDone(session.insert("Done"));

    List<OutboxEvent> found = session.dead(10);

    assertThat(StoreSession.ids(found))
        .isEqualTo(dead.stream().map(EventEnvelope::eventId).toList());
    assertThat(StoreSession.ids(session.dead(2)))
        .containsExactly(dead.get(0).eventId(), dead.get(1).eventId());
    assertThat(found).extracting(OutboxEvent::attempts).containsOnly(1);
  }

  @Test
  void deadEventsAreFilteredByEitherType() {
    EventEnvelope a = session.insertDead(event("A", "Order"));
    EventEnvelope b = session.insertDead(event("B", "Order"));
    EventEnvelope c = session.insertDead(event("A", "User"));

    assertThat(dead("A", null)).containsExactly(a.eventId(), c.eventId());
    assertThat(dead(null, "Order")).containsExactly(a.eventId(), b.eventId());
    assertThat(dead("A", "User")).containsExactly(c.eventId());
    assertThat(dead("B", "User")).isEmpty();
    assertThat(dead(null, null)).hasSize(3);
  }

  @Test
  void deadEventsAreCounted() {
    session.insertDead(event("A", "Order"));
    session.insertDead(event("A", "User"));
    session.insertDead(event("B", "Order"));
    session.insert("A");

    assertThat(countDead(null)).isEqualTo(3);
    assertThat(countDead("A")).isEqualTo(2);
    assertThat(countDead("C")).isZero();
  }

  @Test
  void replayedEventIsAsGoodAsNew() {
    EventEnvelope event = session.insert("T");
    session.markRetry(event, StoreSession.now(), "first");
    session.markDead(event, "second");

    int replayed = session.replay(event);

    EventDetails row = session.row(event);
    assertThat(replayed).isEqualTo(1);
    assertThat(row.status()).isEqualTo(EventStatus.NEW);
    assertThat(row.event().attempts()).isZero();
    assertThat(row.availableAt())
        .isCloseTo(StoreSession.now(), within(StoreSession.SLACK.toMillis(), ChronoUnit.MILLIS));
    assertThat(row.doneAt()).isNull();
    assertThat(row.lastError()).isNull();
    assertThat(row.lockedBy()).isNull();
    assertThat(row.lockedAt()).isNull();
    assertThat(session.claim("node-1", StoreSession.soon(), 10)).hasSize(1);
  }

  @Test
  void replayChangesOnlyDeadEvents() {
    EventEnvelope fresh = session.insert("T");
    EventEnvelope retried = session.insert("T");
    EventEnvelope done = session.insert("T");
    session.markRetry(retried, StoreSession.now(), "e");
    session.markDone(done);

    assertThat(session.replay(fresh)).isZero();
    assertThat(session.replay(retried)).isZero();
    assertThat(session.replay(done)).isZero();
    assertThat(session.replay(EventEnvelope.ofJson("T", "{}"))).isZero();

    assertThat(session.row(retried).event().attempts()).isEqualTo(1);
    assertThat(session.row(done).status()).isEqualTo(EventStatus.DONE);
  }

  @Test
  void replayedEventCanEndAgain() {
    EventEnvelope event = session.insertDead(EventEnvelope.ofJson("T", "{}"));
    session.replay(event);

    assertThat(session.markDead(event, "again")).isEqualTo(1);
    assertThat(session.row(event).event().attempts()).isEqualTo(1);
    assertThat(session.replay(event)).isEqualTo(1);
    assertThat(session.markDone(event)).isEqualTo(1);
    assertThat(session.replay(event)).isZero();
  }

  @Test
  void replayTakesPartInTheTransaction() {
    EventEnvelope event = session.insertDead(EventEnvelope.ofJson("T", "{}"));
    EventDetails before = session.row(event);

    session.inTransaction(
        connection -> {
          session.store().replayDead(connection, event.eventId());
          connection.rollback();
          return connection;
        });

    assertThat(session.row(event)).isEqualTo(before);
  }

  private List<String> dead(@Nullable String eventType, @Nullable String aggregateType) {
    return session.call(
        connection ->
            StoreSession.ids(session.store().queryDead(connection, eventType, aggregateType, 10)));
  }

  private int countDead(@Nullable String eventType) {
    return session.call(connection -> session.store().countDead(connection, eventType));
  }

  private static EventEnvelope event(String eventType, String aggregateType) {
    return EventEnvelope.builder(eventType).aggregateType(aggregateType).payloadJson("{}").build();
  }
}
