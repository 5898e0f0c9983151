package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.model.EventStatus;
import outbox.spi.OutboxStore;
import outbox.spi.TxContext;
import outbox.testing.DelegatingStore;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.RecordingWriterHook;
import outbox.testing.RecordingWriterHook.Step;
import outbox.testing.StubTxContext;

class OutboxWriterTest {

  private enum Types implements EventType {
    ORDER_PLACED
  }

  private final InMemoryOutboxStore store = new InMemoryOutboxStore();
  private final StubTxContext tx = new StubTxContext(store.connections());
  private final RecordingWriterHook hook = new RecordingWriterHook();
  private final OutboxWriter writer = new OutboxWriter(tx, store, hook);

  private static EventEnvelope event() {
    return EventEnvelope.ofJson("T", "{}");
  }

  @Test
  void committedEventIsNewInTheStore() {
    EventEnvelope event = event();
    tx.begin();

    String id = writer.write(event);
    tx.commit();

    assertThat(id).isEqualTo(event.eventId());
    assertThat(store.find(id).orElseThrow().status()).isEqualTo(EventStatus.NEW);
  }

  @Test
  void rolledBackEventDoesNotExist() {
    tx.begin();

    String id = writer.write(event());
    tx.rollback();

    assertThat(store.find(id)).isEmpty();
  }

  @Test
  void shortFormsBuildTheEvent() {
    tx.begin();

    String byName = writer.write("OrderPlaced", "{\"n\":1}");
    String byType = writer.write(Types.ORDER_PLACED, "{\"n\":2}");
    tx.commit();

    assertThat(store.find(byName).orElseThrow().event().eventType()).isEqualTo("OrderPlaced");
    assertThat(store.find(byType).orElseThrow().event().eventType()).isEqualTo("ORDER_PLACED");
    assertThat(store.find(byType).orElseThrow().event().payloadJson()).isEqualTo("{\"n\":2}");
  }

  @Test
  void writeOutsideATransactionIsRefused() {
    assertThatThrownBy(() -> writer.write(event()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no transaction");
    assertThatThrownBy(() -> writer.write("T", "{}")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> writer.writeAll(List.of(event())))
        .isInstanceOf(IllegalStateException.class);
    assertThat(hook.calls()).isEmpty();
  }

  @Test
  void idsComeBackInTheOrderOfTheEvents() {
    List<EventEnvelope> events = List.of(event(), event(), event());
    tx.begin();

    List<String> ids = writer.writeAll(events);

    assertThat(ids).isEqualTo(events.stream().map(EventEnvelope::eventId).toList());
  }

  @Test
  void emptyListWritesNothingAndCallsNoHook() {
    tx.begin();

    List<String> ids = writer.writeAll(List.of());
    tx.commit();

    assertThat(ids).isEmpty();
    assertThat(hook.calls()).isEmpty();
  }

  @Test
  void missingEventsAreRefusedBeforeAnythingIsWritten() {
    tx.begin();

    assertThatThrownBy(() -> writer.write((EventEnvelope) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> writer.writeAll(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> writer.writeAll(Arrays.asList(event(), null)))
        .isInstanceOf(NullPointerException.class);

    tx.commit();
    assertThat(store.count(EventStatus.NEW)).isZero();
    assertThat(hook.calls()).isEmpty();
  }

  @Test
  void severalEventsAreOneBatchAndOneEventIsNot() {
    AtomicInteger singles = new AtomicInteger();
    List<Integer> batches = new ArrayList<>();
    OutboxStore counting =
        new DelegatingStore(store) {
          @Override
          public void insertNew(Connection connection, EventEnvelope event) {
            singles.incrementAndGet();
            super.insertNew(connection, event);
          }

          @Override
          public void insertBatch(Connection connection, List<EventEnvelope> events) {
            batches.add(events.size());
            super.insertBatch(connection, events);
          }
        };
    OutboxWriter counted = new OutboxWriter(tx, counting);
    tx.begin();

    counted.write(event());
    counted.writeAll(List.of(event(), event(), event()));

    assertThat(singles).hasValue(1);
    assertThat(batches).containsExactly(3);
  }

  @Test
  void storeIsUsedOnTheTransactionsConnectionWhichIsLeftAlone() throws Exception {
    List<Connection> used = new ArrayList<>();
    OutboxStore watching =
        new DelegatingStore(store) {
          @Override
          public void insertNew(Connection connection, EventEnvelope event) {
            used.add(connection);
          }
        };
    tx.begin();
    Connection connection = tx.currentConnection();

    new OutboxWriter(tx, watching).write(event());

    assertThat(used).containsExactly(connection);
    assertThat(connection.isClosed()).isFalse();
    assertThat(connection.getAutoCommit()).isFalse();
  }

  @Test
  void hookSeesEveryStepOfACommit() {
    List<EventEnvelope> events = List.of(event(), event());
    tx.begin();

    writer.writeAll(events);
    assertThat(hook.steps()).containsExactly(Step.BEFORE_WRITE, Step.AFTER_WRITE);

    tx.commit();
    assertThat(hook.steps())
        .containsExactly(Step.BEFORE_WRITE, Step.AFTER_WRITE, Step.AFTER_COMMIT);
    assertThat(hook.calls()).allSatisfy(call -> assertThat(call.events()).isEqualTo(events));
  }

  @Test
  void hookSeesARollback() {
    tx.begin();
    writer.write(event());

    tx.rollback();

    assertThat(hook.steps())
        .containsExactly(Step.BEFORE_WRITE, Step.AFTER_WRITE, Step.AFTER_ROLLBACK);
  }

  @Test
  void eachBatchRegistersOneCallbackOfEachKind() {
    CountingTx counting = new CountingTx(tx);
    tx.begin();

    new OutboxWriter(counting, store, hook).writeAll(List.of(event(), event(), event()));

    assertThat(counting.commits).isEqualTo(1);
    assertThat(counting.rollbacks).isEqualTo(1);
  }

  @Test
  void writerWithoutAHookRegistersNoCallback() {
    CountingTx counting = new CountingTx(tx);
    tx.begin();

    new OutboxWriter(counting, store).write(event());
    new OutboxWriter(counting, store, WriterHook.NOOP).write(event());

    assertThat(counting.commits).isZero();
    assertThat(counting.rollbacks).isZero();
  }

  @Test
  void outboxThatOnlyWritesRegistersNoCallback() {
    CountingTx counting = new CountingTx(tx);
    try (Outbox outbox =
        Outbox.writerOnly()
            .store(store)
            .connectionProvider(store.connections())
            .txContext(counting)
            .build()) {
      outbox.start();
      tx.begin();

      outbox.writer().write(event());
    }

    assertThat(counting.commits).isZero();
    assertThat(counting.rollbacks).isZero();
  }

  @Test
  void missingPartsAreRefused() {
    assertThatThrownBy(() -> new OutboxWriter(null, store))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> new OutboxWriter(tx, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> new OutboxWriter(tx, store, null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void failureOfTheStoreReachesTheCallerAndCallsNoFurtherHook() {
    EventEnvelope event = event();
    store.insertNew(null, event);
    tx.begin();

    assertThatThrownBy(() -> writer.write(event)).isInstanceOf(OutboxException.class);

    assertThatCode(tx::rollback).doesNotThrowAnyException();
    assertThat(hook.steps()).containsExactly(Step.BEFORE_WRITE);
  }

  private static final class CountingTx implements TxContext {

    private final TxContext tx;
    private int commits;
    private int rollbacks;

    CountingTx(TxContext tx) {
      this.tx = tx;
    }

    @Override
    public boolean isTransactionActive() {
      return tx.isTransactionActive();
    }

    @Override
    public Connection currentConnection() {
      return tx.currentConnection();
    }

    @Override
    public void afterCommit(Runnable callback) {
      commits++;
    }

    @Override
    public void afterRollback(Runnable callback) {
      rollbacks++;
    }
  }
}
