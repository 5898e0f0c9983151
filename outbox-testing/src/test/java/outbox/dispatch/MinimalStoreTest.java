package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.spi.OutboxStore;
import outbox.testing.CapturedLogs;
import outbox.testing.Harness;

/** A store that implements no more than it must serves a single node just as well. */
class MinimalStoreTest {

  private final Harness harness = new Harness();
  private final OutboxStore store = new MinimalStore(harness.store);

  private static class MinimalStore implements OutboxStore {

    private final OutboxStore store;

    MinimalStore(OutboxStore store) {
      this.store = store;
    }

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
  void claimsThatAreWorthNothingAreSaidToBeSo() {
    try (CapturedLogs logs = new CapturedLogs()) {
      OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store));
      harness.build(harness.poller(dispatcher, store));
      assertThat(logs.at(Level.WARNING)).isEmpty();

      harness.build(harness.poller(dispatcher, store).claimLocking("node-1", Harness.LONG));

      assertThat(logs.at(Level.WARNING))
          .singleElement(InstanceOfAssertFactories.STRING)
          .contains("neither fenced nor renewed", "settlesExactly", MinimalStore.class.getName());
    }
  }

  @Test
  void claimsOfAStoreThatSettlesExactlyAreTrusted() {
    try (CapturedLogs logs = new CapturedLogs()) {
      OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
      harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));

      assertThat(logs.at(Level.WARNING)).isEmpty();
    }
  }

  @Test
  void deferringIsRefusedAndNotCountedAsATry() {
    harness.onEvent(
        event -> {
          if (harness.listener.count() == 1) {
            throw new DeferException(Duration.ofMinutes(7), "paused");
          }
        });
    EventEnvelope event = harness.stored();
    try (CapturedLogs logs = new CapturedLogs()) {
      OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store));
      harness.build(harness.poller(dispatcher, store).intervalMs(5)).start();

      harness.awaitDone(event);

      assertThat(harness.row(event).event().attempts()).isZero();
      assertThat(logs.all()).anyMatch(line -> line.contains("does not implement settle"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RETRY", "LEAVE"})
  void policyThatCountsNoTryIsRefused(UnroutablePolicy policy) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> harness.dispatcher(store).unroutable(policy).build())
        .withMessageContaining("unroutable must be DEAD")
        .withMessageContaining("settlesExactly");
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

  @Test
  void claimsThatNobodyLocksAreRefusedWhereStatusesAskForTheLock() {
    OutboxStore exact =
        new MinimalStore(store) {
          @Override
          public boolean settlesExactly() {
            return true;
          }
        };
    Instant now = exact.clock().instant();

    assertThatThrownBy(() -> exact.claimPending(null, "node", now, now, Duration.ZERO, 1))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("claimPending");
  }
}
