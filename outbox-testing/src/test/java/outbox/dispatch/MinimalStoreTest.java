package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.spi.OutboxStore;
import outbox.testing.Harness;

/** A store that implements no more than it must serves a single node just as well. */
class MinimalStoreTest {

  private final Harness harness = new Harness();
  private final OutboxStore store = new MinimalStore(harness.store);

  private record MinimalStore(OutboxStore store) implements OutboxStore {

    @Override
    public void insertNew(Connection connection, EventEnvelope event) {
      store.insertNew(connection, event);
    }

    @Override
    public int markDone(Connection connection, String eventId) {
      return store.markDone(connection, eventId);
    }

    @Override
    public int markRetry(Connection connection, String eventId, Instant nextAt, String error) {
      return store.markRetry(connection, eventId, nextAt, error);
    }

    @Override
    public int markDead(Connection connection, String eventId, String error) {
      return store.markDead(connection, eventId, error);
    }

    @Override
    public List<OutboxEvent> pollPending(
        Connection connection, Instant now, Duration skipRecent, int limit) {
      return store.pollPending(connection, now, skipRecent, limit);
    }
  }

  @AfterEach
  void close() {
    harness.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyEventIsDeliveredOnceFromMemoryOrFromTheStore(boolean claims) {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher(store).workerCount(2).hotQueueCapacity(20));
    OutboxPoller.Builder builder = harness.poller(dispatcher, store).intervalMs(5);
    harness.build(claims ? builder.claimLocking("node-1", Harness.LONG) : builder).start();
    OutboxWriter writer = new OutboxWriter(harness.tx, store, new DispatcherWriterHook(dispatcher));
    EventEnvelope[] events =
        IntStream.range(0, 1000).mapToObj(i -> Harness.event()).toArray(EventEnvelope[]::new);

    for (int from = 0; from < events.length; from += 10) {
      EventEnvelope[] batch = Arrays.copyOfRange(events, from, from + 10);
      harness.write(writer, batch);
    }

    harness.awaitDone(events);
    dispatcher.close();
    List<String> delivered = harness.listener.eventIds();
    assertThat(delivered).hasSize(1000);
    assertThat(new HashSet<>(delivered)).hasSize(1000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyTryIsMadeOnce(boolean claims) {
    AtomicInteger calls = new AtomicInteger();
    harness.onEvent(
        event -> {
          if (calls.getAndIncrement() % 5 == 0) {
            throw new IllegalStateException("refused");
          }
        });
    OutboxDispatcher dispatcher =
        harness.build(
            harness.dispatcher(store).workerCount(2).maxAttempts(100).retryPolicy(n -> 1));
    OutboxPoller.Builder builder = harness.poller(dispatcher, store).intervalMs(5);
    EventEnvelope[] events = harness.stored(500).toArray(EventEnvelope[]::new);

    harness.build(claims ? builder.claimLocking("node-1", Harness.LONG) : builder).start();

    harness.awaitDone(events);
    dispatcher.close();
    int attempts = 0;
    for (EventEnvelope event : events) {
      attempts += harness.row(event).event().attempts();
    }
    assertThat(harness.listener.count()).isEqualTo(500 + attempts);
  }

  @Test
  void claimsThatCannotBeReleasedAreNoHindrance() {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher(store).workerCount(0).coldQueueCapacity(1));
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher, store).claimLocking("node-1", Harness.LONG));
    EventEnvelope event = harness.stored();
    harness.stored();
    poller.poll();

    dispatcher.close();

    assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
  }
}
