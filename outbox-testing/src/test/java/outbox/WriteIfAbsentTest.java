package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.model.EventStatus;
import outbox.spi.Claim;
import outbox.spi.OutboxStore;
import outbox.testing.DelegatingStore;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.RecordingWriterHook;
import outbox.testing.RecordingWriterHook.Step;
import outbox.testing.StubTxContext;

class WriteIfAbsentTest {

  private final InMemoryOutboxStore store = new InMemoryOutboxStore();
  private final StubTxContext tx = new StubTxContext(store.connections());
  private final RecordingWriterHook hook = new RecordingWriterHook();
  private final OutboxWriter writer = new OutboxWriter(tx, store, hook);

  private static EventEnvelope event(String id) {
    return EventEnvelope.builder("T").eventId(id).payloadJson("{}").build();
  }

  @Test
  void sameEventTwiceInOneTransactionIsOneEvent() {
    tx.begin();

    WriteResult first = writer.writeIfAbsent(event("e"));
    WriteResult second = writer.writeIfAbsent(event("e"));
    tx.commit();

    assertThat(first).isEqualTo(WriteResult.WRITTEN);
    assertThat(second).isEqualTo(WriteResult.ALREADY_THERE);
    assertThat(first.isWritten()).isTrue();
    assertThat(second.isWritten()).isFalse();
    assertThat(store.count(EventStatus.NEW)).isEqualTo(1);
  }

  @Test
  void hookFollowsOnlyWhatWasWritten() {
    tx.inTransaction(() -> writer.writeIfAbsent(event("e")));
    tx.inTransaction(() -> writer.writeIfAbsent(event("e")));

    assertThat(hook.steps())
        .containsExactly(Step.BEFORE_WRITE, Step.AFTER_WRITE, Step.AFTER_COMMIT, Step.BEFORE_WRITE);
  }

  @Test
  void suppressedEventIsNeitherWrittenNorThere() {
    OutboxWriter suppressing = new OutboxWriter(tx, store, changing(List.of()));
    tx.begin();

    WriteResult result = suppressing.writeIfAbsent(event("e"));

    assertThat(result).isEqualTo(WriteResult.SUPPRESSED);
    assertThat(result.isWritten()).isFalse();
    tx.commit();
    assertThat(store.count(EventStatus.NEW)).isZero();
  }

  @Test
  void firstOfSeveralStandsForAll() {
    tx.inTransaction(
        () ->
            new OutboxWriter(tx, store, changing(List.of(event("e"), event("copy-1"))))
                .writeIfAbsent(event("e")));

    tx.inTransaction(
        () ->
            new OutboxWriter(tx, store, changing(List.of(event("e"), event("copy-2"))))
                .writeIfAbsent(event("e")));

    assertThat(store.find("copy-1")).isPresent();
    assertThat(store.find("copy-2")).isEmpty();
  }

  @Test
  void needsATransactionAndAnEvent() {
    assertThatThrownBy(() -> writer.writeIfAbsent(event("e")))
        .isInstanceOf(IllegalStateException.class);
    tx.begin();
    assertThatThrownBy(() -> writer.writeIfAbsent(null)).isInstanceOf(NullPointerException.class);
    assertThat(hook.calls()).isEmpty();
  }

  @Test
  void storeThatCannotSaysSo() {
    OutboxStore plain =
        new DelegatingStore(store) {
          @Override
          public boolean insertIfAbsent(Connection connection, EventEnvelope event, Claim claim) {
            throw new UnsupportedOperationException("no");
          }
        };
    tx.begin();

    assertThatThrownBy(() -> new OutboxWriter(tx, plain, hook).writeIfAbsent(event("e")))
        .isInstanceOf(UnsupportedOperationException.class);

    tx.commit();
    assertThat(hook.steps()).containsExactly(Step.BEFORE_WRITE);
    assertThat(store.count(EventStatus.NEW)).isZero();
  }

  private static WriterHook changing(List<EventEnvelope> to) {
    return new WriterHook() {
      @Override
      public List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
        return to;
      }
    };
  }
}
