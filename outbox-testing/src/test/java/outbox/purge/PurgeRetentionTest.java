package outbox.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.EventStatus;
import outbox.spi.EventArchiver;
import outbox.spi.EventPurger;
import outbox.spi.PurgeRequest;
import outbox.spi.PurgeRequest.Scope;
import outbox.testing.CapturedLogs;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.MutableClock;

/** Each kind of event is kept for as long as was asked, and archived if that was asked. */
@Timeout(120)
class PurgeRetentionTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  private final MutableClock clock = new MutableClock(NOW);
  private final InMemoryOutboxStore store = new InMemoryOutboxStore(clock);

  private OutboxPurgeScheduler.Builder scheduler(EventPurger purger) {
    return OutboxPurgeScheduler.builder()
        .connectionProvider(store.connections())
        .purger(purger)
        .clock(clock);
  }

  @Test
  void batchThatMetADeadlockIsTriedAgain() {
    AtomicInteger calls = new AtomicInteger();
    EventPurger deadlocked =
        (connection, before, limit) -> {
          if (calls.incrementAndGet() < 3) {
            throw new OutboxException("deadlock", new SQLException("deadlock", "40001"));
          }
          return 0;
        };

    try (CapturedLogs logs = new CapturedLogs();
        OutboxPurgeScheduler scheduler = scheduler(deadlocked).build()) {
      scheduler.runOnce();

      assertThat(calls).hasValue(3);
      assertThat(logs.at(Level.SEVERE)).isEmpty();
    }
  }

  private void storeDone(int count) {
    for (int i = 0; i < count; i++) {
      EventEnvelope event = EventEnvelope.ofJson("T", "{}");
      store.insertNew(null, event);
      store.markDone(null, event.eventId());
    }
  }

  private List<String> storeDead(int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      EventEnvelope event = EventEnvelope.ofJson("T", "{}");
      store.insertNew(null, event);
      store.markDead(null, event.eventId(), "no use");
      ids.add(event.eventId());
    }
    return ids;
  }

  @Test
  void deadEventsAreKeptUnlessTheyHaveARetentionOfTheirOwn() {
    storeDead(2);
    storeDone(1);
    clock.advance(Duration.ofDays(3650));

    scheduler(store.purger()).build().runOnce();
    assertThat(store.count(EventStatus.DONE)).isZero();
    assertThat(store.count(EventStatus.DEAD)).isEqualTo(2);

    scheduler(store.purger()).deadRetention(Duration.ofDays(3650)).build().runOnce();
    assertThat(store.count(EventStatus.DEAD)).isEqualTo(2);

    scheduler(store.purger()).deadRetention(Duration.ofDays(3649)).build().runOnce();
    assertThat(store.count(EventStatus.DEAD)).isZero();
  }

  @Test
  void pendingEventsStayUnlessTheTableIsSaidToBeAppendOnly() {
    store.insertNew(null, EventEnvelope.ofJson("T", "{}"));
    clock.advance(Duration.ofDays(2));

    scheduler(store.purger()).deadRetention(Duration.ZERO).build().runOnce();
    assertThat(store.count(EventStatus.NEW)).isEqualTo(1);

    scheduler(store.purger()).appendOnlyRetention(Duration.ofDays(1)).build().runOnce();
    assertThat(store.count(EventStatus.NEW)).isZero();
  }

  @Test
  void replayedEventsAreNotOldForAnAppendOnlyPurge() {
    String dead = storeDead(1).get(0);
    clock.advance(Duration.ofDays(2));
    store.replayDead(null, dead);

    scheduler(store.purger()).appendOnlyRetention(Duration.ofDays(1)).build().runOnce();

    assertThat(store.count(EventStatus.NEW)).isEqualTo(1);
  }

  @Test
  void everyKindIsArchivedBeforeItIsDeleted() {
    storeDone(3);
    storeDead(2);
    store.insertNew(null, EventEnvelope.ofJson("T", "{}"));
    clock.advance(Duration.ofDays(8));
    List<EventStatus> archived = new ArrayList<>();

    scheduler(store.purger())
        .deadRetention(Duration.ofDays(7))
        .appendOnlyRetention(Duration.ofDays(7))
        .batchSize(2)
        .archiver(events -> events.forEach(event -> archived.add(event.status())))
        .build()
        .runOnce();

    assertThat(archived)
        .containsExactly(
            EventStatus.DONE,
            EventStatus.DONE,
            EventStatus.DONE,
            EventStatus.DEAD,
            EventStatus.DEAD,
            EventStatus.NEW);
  }

  @Test
  void failingArchiverDeletesNothingAndIsAskedAgain() {
    storeDone(3);
    clock.advance(Duration.ofDays(8));
    AtomicInteger calls = new AtomicInteger();
    OutboxPurgeScheduler scheduler =
        scheduler(store.purger())
            .archiver(
                events -> {
                  if (calls.incrementAndGet() == 1) {
                    throw new IOException("disk full");
                  }
                })
            .build();

    try (CapturedLogs logs = new CapturedLogs()) {
      scheduler.runOnce();
      assertThat(store.count(EventStatus.DONE)).isEqualTo(3);
      assertThat(logs.at(Level.SEVERE))
          .singleElement()
          .asString()
          .contains("purge failed for DONE events");
    }

    scheduler.runOnce();
    assertThat(store.count(EventStatus.DONE)).isZero();
  }

  @Test
  void failureWithOneKindDoesNotStopTheOthers() {
    storeDone(1);
    storeDead(1);
    clock.advance(Duration.ofDays(8));
    EventArchiver picky =
        events -> {
          if (events.get(0).status() == EventStatus.DONE) {
            throw new IOException("disk full");
          }
        };

    scheduler(store.purger()).deadRetention(Duration.ZERO).archiver(picky).build().runOnce();

    assertThat(store.count(EventStatus.DONE)).isEqualTo(1);
    assertThat(store.count(EventStatus.DEAD)).isZero();
  }

  @Test
  void purgerThatCannotTellDoneFromDeadIsUsedAsItIsWithAWarning() {
    storeDone(1);
    storeDead(1);
    EventPurger plain = (connection, before, limit) -> store.purger().purge(null, before, limit);
    clock.advance(Duration.ofDays(8));

    try (CapturedLogs logs = new CapturedLogs()) {
      scheduler(plain).build().runOnce();

      assertThat(logs.at(Level.WARNING))
          .singleElement()
          .asString()
          .contains("dead events are deleted PT168H after they died");
    }

    assertThat(store.count(EventStatus.DONE)).isZero();
    assertThat(store.count(EventStatus.DEAD)).isZero();
  }

  @Test
  void purgerThatCannotDoWhatIsAskedIsRefused() {
    EventPurger plain = (connection, before, limit) -> 0;

    assertThat(
            List.of(
                scheduler(plain).deadRetention(Duration.ofDays(30)),
                scheduler(plain).appendOnlyRetention(Duration.ofDays(30)),
                scheduler(plain).archiver(events -> {})))
        .allSatisfy(
            builder ->
                assertThatThrownBy(builder::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("selective")
                    .hasMessageContaining(plain.getClass().getName()));
    assertThatThrownBy(
            () -> plain.purge(null, new PurgeRequest(Scope.DONE, NOW, 1, EventArchiver.NONE)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining(plain.getClass().getName());
  }

  @Test
  void impossibleRetentionsAreRefused() {
    assertThatThrownBy(() -> scheduler(store.purger()).deadRetention(Duration.ofDays(-1)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("deadRetention");
    assertThatThrownBy(() -> scheduler(store.purger()).appendOnlyRetention(Duration.ZERO).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("appendOnlyRetention");
    assertThatThrownBy(() -> scheduler(store.purger()).archiver(null).build())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("archiver");
  }
}
