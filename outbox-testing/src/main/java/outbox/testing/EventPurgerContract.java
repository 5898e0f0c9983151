package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;

/** What every {@link outbox.spi.EventPurger} promises: it deletes what ended, and nothing else. */
public abstract class EventPurgerContract extends SelectivePurgeContract {

  @Test
  void doneAndDeadEventsAreDeleted() {
    EventEnvelope done = session.insert("T");
    EventEnvelope dead = session.insertDead(EventEnvelope.ofJson("T", "{}"));
    session.markDone(done);

    int purged = purge(StoreSession.soon(), 10);

    assertThat(purged).isEqualTo(2);
    assertThat(session.find(done)).isEmpty();
    assertThat(session.find(dead)).isEmpty();
  }

  @Test
  void pendingEventsStayHoweverOldTheyAre() {
    EventEnvelope fresh = session.insert("T");
    EventEnvelope retried = session.insert("T");
    EventEnvelope replayed = session.insertDead(EventEnvelope.ofJson("T", "{}"));
    session.markRetry(retried, StoreSession.now(), "e");
    session.replay(replayed);

    int purged = purge(StoreSession.now().plus(Duration.ofDays(3650)), 10);

    assertThat(purged).isZero();
    assertThat(session.find(fresh)).isPresent();
    assertThat(session.find(retried)).isPresent();
    assertThat(session.find(replayed)).isPresent();
  }

  @Test
  void ageOfADoneEventCountsFromItsEnd() {
    EventEnvelope done = session.insert("T");
    session.markDone(done);

    assertAgeCountsFromTheEndOf(done);
  }

  @Test
  void ageOfADeadEventCountsFromItsEnd() {
    EventEnvelope dead = session.insertDead(EventEnvelope.ofJson("T", "{}"));

    assertAgeCountsFromTheEndOf(dead);
  }

  @Test
  void noMoreThanTheLimitIsDeletedOldestFirst() {
    List<EventEnvelope> events = IntStream.range(0, 5).mapToObj(i -> session.insert("T")).toList();
    events.forEach(session::markDone);

    int purged = purge(StoreSession.soon(), 3);

    assertThat(purged).isEqualTo(3);
    assertThat(events.subList(0, 3)).allSatisfy(e -> assertThat(session.find(e)).isEmpty());
    assertThat(events.subList(3, 5)).allSatisfy(e -> assertThat(session.find(e)).isPresent());
    assertThat(purge(StoreSession.soon(), 3)).isEqualTo(2);
    assertThat(purge(StoreSession.soon(), 3)).isZero();
  }

  @Test
  void purgeTakesPartInTheTransaction() {
    EventEnvelope event = session.insert("T");
    session.markDone(event);

    session.inTransaction(
        connection -> {
          assertThat(fixture.purger().purge(connection, StoreSession.soon(), 10)).isEqualTo(1);
          assertThat(connection.isClosed()).isFalse();
          connection.rollback();
          return connection;
        });

    assertThat(session.find(event)).isPresent();
  }

  private void assertAgeCountsFromTheEndOf(EventEnvelope event) {
    Instant end = Objects.requireNonNull(session.row(event).doneAt());

    assertThat(purge(end, 10)).isZero();
    assertThat(purge(end.plusNanos(1000), 10)).isEqualTo(1);
  }

  private int purge(Instant before, int limit) {
    return session.call(connection -> fixture.purger().purge(connection, before, limit));
  }
}
