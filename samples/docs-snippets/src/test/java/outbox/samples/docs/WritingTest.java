package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.OutboxWriter;
import outbox.WriteResult;
import outbox.model.EventStatus;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.RecordingWriterHook;
import outbox.testing.RecordingWriterHook.Step;
import outbox.testing.StubTxContext;

/** What the page about writing shows does what it says. */
class WritingTest {

  private final InMemoryOutboxStore store = new InMemoryOutboxStore();
  private final StubTxContext tx = new StubTxContext(store.connections());
  private final RecordingWriterHook hook = new RecordingWriterHook();
  private final Writing writing = new Writing(tx, new OutboxWriter(tx, store, hook));

  @Test
  void secondCommandOfTheSameIdWritesNothing() {
    tx.begin();

    assertThat(writing.once("7", "{}")).isEqualTo(WriteResult.WRITTEN);
    assertThat(writing.once("7", "{}")).isEqualTo(WriteResult.ALREADY_THERE);

    tx.commit();
    assertThat(store.count(EventStatus.NEW)).isOne();
  }

  @Test
  void reminderIsDueInAWeek() {
    Instant inSixDays = Clock.systemUTC().instant().plus(Duration.ofDays(6));

    tx.inTransaction(() -> writing.remindLater("42", "{}"));

    assertThat(store.pollPending(null, inSixDays, Duration.ZERO, 1)).isEmpty();
    assertThat(store.pollPending(null, inSixDays.plus(Duration.ofDays(2)), Duration.ZERO, 1))
        .hasSize(1);
  }

  @Test
  void consequenceNamesItsCause() {
    EventEnvelope placed = EventEnvelope.ofJson("OrderPlaced", "{}");

    EventEnvelope packed = writing.consequence(placed, new byte[] {1});

    assertThat(packed.header(EventHeaders.CAUSATION_ID)).isEqualTo(placed.eventId());
    assertThat(packed.header(EventHeaders.SCHEMA_ID)).isEqualTo("parcel-packed");
    assertThat(packed.header("warehouse")).isEqualTo("north");
  }

  @Test
  void whatIsRolledBackToASavepointIsGone() throws SQLException {
    tx.begin();
    writing.withSavepoint("{}");
    tx.commit();

    assertThat(store.count(EventStatus.NEW)).isZero();
    assertThat(hook.steps()).endsWith(Step.AFTER_ROLLBACK).doesNotContain(Step.AFTER_COMMIT);
  }
}
