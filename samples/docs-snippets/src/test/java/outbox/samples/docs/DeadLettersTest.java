package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.dead.BatchProgress;
import outbox.dead.DeadEventManager;
import outbox.dead.StopSignal;
import outbox.model.DeadFilter;
import outbox.model.EventStatus;
import outbox.purge.OutboxPurgeScheduler;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.MutableClock;

/** What the page on dead letters and purge quotes does what it says. */
class DeadLettersTest {

  private final Instant now = Clock.systemUTC().instant();
  private final MutableClock clock = new MutableClock(now.minus(Duration.ofDays(100)));
  private final InMemoryOutboxStore store = new InMemoryOutboxStore(clock);
  private final DeadEventManager deadEvents = new DeadEventManager(store.connections(), store);
  private final DeadLetters deadLetters = new DeadLetters(deadEvents);
  private final Operations operations = new Operations(store.connections(), store);

  @TempDir Path folder;

  @BeforeEach
  void buryEvents() {
    bury("OrderPlaced", "java.net.ConnectException: Connection refused");
    bury("OrderPlaced", "java.lang.IllegalStateException: closed");
    bury("OrderCancelled", "java.net.ConnectException: Connection refused");
  }

  @Test
  void filterFindsWhatTheOutageBuried() {
    DeadFilter filter = DeadLetters.filter(clock.instant(), clock.instant().plusSeconds(1));

    assertThat(deadEvents.count(filter, 10)).isOne();
    assertThat(deadEvents.count(DeadLetters.filter(now, now), 10)).isZero();
  }

  @Test
  void pagesShowEverything() {
    List<String> shown = new ArrayList<>();

    deadLetters.showAll(DeadFilter.all(), event -> shown.add(event.event().eventType()));

    assertThat(shown).containsExactly("OrderCancelled", "OrderPlaced", "OrderPlaced");
  }

  @Test
  void replayIsAnnouncedAndDone() {
    BatchProgress end = deadLetters.replay(DeadFilter.all(), new StopSignal());

    assertThat(end).isEqualTo(new BatchProgress(BatchProgress.State.COMPLETED, 3, 3, 0));
  }

  @Test
  void discardedEventsAreDone() {
    deadLetters.discard("unknown", DeadFilter.all().withEventType("OrderPlaced"));

    assertThat(store.count(EventStatus.DONE)).isEqualTo(2);
    assertThat(store.count(EventStatus.DEAD)).isEqualTo(1);
  }

  @Test
  void purgedEventsAreInTheArchive() throws IOException {
    try (OutboxPurgeScheduler purge = operations.purgeIntoAnArchive(store.purger(), folder)) {
      purge.runOnce();
    }

    assertThat(store.count(EventStatus.DEAD)).isZero();
    assertThat(folder).isDirectoryContaining(file -> file.toString().endsWith(".jsonl.gz"));
  }

  @Test
  void appendOnlyPurgeDeletesWhatNobodyDelivers() {
    store.insertNew(null, EventEnvelope.ofJson("OrderPlaced", "{}"));

    try (OutboxPurgeScheduler purge = operations.purgeAppendOnly(store.purger())) {
      purge.runOnce();
    }

    assertThat(store.count(EventStatus.NEW)).isZero();
    assertThat(store.count(EventStatus.DEAD)).isEqualTo(3);
  }

  private void bury(String eventType, String error) {
    EventEnvelope event = EventEnvelope.ofJson(eventType, "{}");
    store.insertNew(null, event);
    store.markDead(null, event.eventId(), error);
  }
}
