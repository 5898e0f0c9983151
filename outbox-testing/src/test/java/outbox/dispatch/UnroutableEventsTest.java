package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.EventFilter;
import outbox.testing.Harness;
import outbox.testing.MutableClock;

/** An old node meets what only a new node knows. */
@Timeout(120)
class UnroutableEventsTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  private final Harness harness = new Harness();
  private final DefaultListenerRegistry listeners = new DefaultListenerRegistry();

  @AfterEach
  void close() {
    harness.close();
  }

  private static EventEnvelope unknown() {
    return EventEnvelope.ofJson("Unknown", "{}");
  }

  private EventEnvelope storedUnknown() {
    EventEnvelope event = unknown();
    harness.store.insertNew(null, event);
    return event;
  }

  private OutboxDispatcher.Builder dispatcher(UnroutablePolicy policy) {
    return harness.dispatcher().listenerRegistry(listeners).unroutable(policy);
  }

  @Test
  void leftEventIsAsGoodAsNewForTheNextNode() {
    OutboxDispatcher dispatcher =
        harness.build(dispatcher(UnroutablePolicy.LEAVE).clock(new MutableClock(NOW)));
    EventEnvelope event = storedUnknown();

    dispatcher.enqueueCold(Harness.cold(event, 0));

    Harness.eventually(() -> harness.row(event).availableAt().equals(NOW.plusSeconds(10)));
    EventDetails row = harness.row(event);
    assertThat(row.status()).isEqualTo(EventStatus.NEW);
    assertThat(row.event().attempts()).isZero();
    assertThat(row.lockedBy()).isNull();
    assertThat(row.lastError()).isNull();
  }

  @Test
  void retriedEventTellsWhatIsMissingAndNeverDiesOfIt() {
    OutboxDispatcher dispatcher =
        harness.build(
            dispatcher(UnroutablePolicy.RETRY).maxAttempts(2).clock(new MutableClock(NOW)));
    EventEnvelope event = storedUnknown();

    for (int i = 0; i < 3; i++) {
      dispatcher.enqueueCold(Harness.cold(event, 0));
      int failures = i + 1;
      Harness.eventually(() -> harness.metrics.failures() == failures);
    }

    EventDetails row = harness.row(event);
    assertThat(row.status()).isEqualTo(EventStatus.RETRY);
    assertThat(row.event().attempts()).isZero();
    assertThat(row.availableAt()).isEqualTo(NOW.plusSeconds(10));
    assertThat(row.lastError()).contains("no listener is registered", "Unknown");
  }

  @Test
  void onlyRoutableTypesAreClaimed() {
    OutboxDispatcher dispatcher = harness.build(dispatcher(UnroutablePolicy.DEAD));
    OutboxPoller poller =
        harness.build(
            harness.poller(dispatcher).claimLocking("node-1", Harness.LONG).routableBy(listeners));
    EventEnvelope known = harness.stored();
    EventEnvelope unknown = storedUnknown();
    poller.poll();
    assertThat(harness.row(known).lockedBy()).isNull();

    listeners.register(Harness.TYPE, harness.listener);
    poller.poll();

    harness.awaitDone(known);
    assertThat(harness.status(unknown)).isEqualTo(EventStatus.NEW);
    assertThat(harness.row(unknown).lockedBy()).isNull();
  }

  @Test
  void nothingIsAskedOfTheDatabaseIfNothingCanBeRouted() {
    AtomicInteger connections = new AtomicInteger();
    OutboxDispatcher dispatcher = harness.build(dispatcher(UnroutablePolicy.DEAD));
    OutboxPoller poller =
        harness.build(
            harness
                .poller(dispatcher)
                .connectionProvider(
                    () -> {
                      connections.incrementAndGet();
                      return harness.store.connections().getConnection();
                    })
                .routableBy(listeners));
    storedUnknown();

    poller.poll();

    assertThat(connections).hasValue(0);
  }

  @Test
  void registryThatCannotTellItsTypesIsRefused() {
    OutboxDispatcher dispatcher = harness.build(dispatcher(UnroutablePolicy.DEAD));

    assertThatThrownBy(() -> harness.poller(dispatcher).routableBy((a, e) -> null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("event types");
  }

  @Test
  void hotPathLeavesAloneWhatThePollerWouldNotTake() {
    listeners.register(Harness.TYPE, harness.listener).register("Other", harness.listener);
    OutboxDispatcher dispatcher = harness.build(dispatcher(UnroutablePolicy.DEAD));
    harness.build(
        harness
            .poller(dispatcher)
            .claimLocking("node-1", Harness.LONG)
            .filter(EventFilter.ALL.withEventTypes(Set.of(Harness.TYPE, "Unknown")))
            .routableBy(listeners));
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope known = Harness.event();
    EventEnvelope unknown = unknown();
    EventEnvelope unwanted = EventEnvelope.ofJson("Other", "{}");

    harness.write(writer, unknown);
    harness.write(writer, unwanted);
    harness.write(writer, known);

    harness.awaitDone(known);
    for (EventEnvelope left : new EventEnvelope[] {unknown, unwanted}) {
      assertThat(harness.status(left)).isEqualTo(EventStatus.NEW);
      assertThat(harness.row(left).lockedBy()).isNull();
    }
    assertThat(harness.metrics.hotDropped()).isZero();
    assertThat(harness.listener.count()).isEqualTo(1);
  }

  @Test
  void hotPathLeavesAloneWhatHasNoListenerUnlessItIsToBeBuried() {
    listeners.register(Harness.TYPE, harness.listener);
    OutboxDispatcher leaving = harness.build(dispatcher(UnroutablePolicy.LEAVE));
    OutboxDispatcher burying = harness.build(dispatcher(UnroutablePolicy.DEAD));
    EventEnvelope left = unknown();
    EventEnvelope known = Harness.event();
    EventEnvelope buried = unknown();

    harness.write(harness.writer(leaving), left, known);
    harness.write(harness.writer(burying), buried);

    harness.awaitDone(known);
    harness.awaitStatus(EventStatus.DEAD, buried);
    leaving.close();
    assertThat(harness.status(left)).isEqualTo(EventStatus.NEW);
    assertThat(harness.row(left).availableAt()).isEqualTo(harness.row(left).event().createdAt());
  }

  @Test
  void throwingFilterLeavesHotEventsToThePoller() {
    listeners.register(Harness.TYPE, harness.listener);
    OutboxDispatcher dispatcher = harness.build(dispatcher(UnroutablePolicy.DEAD));
    harness.build(
        harness
            .poller(dispatcher)
            .filter(
                () -> {
                  throw new IllegalStateException("no configuration");
                }));
    EventEnvelope event = Harness.event();

    harness.write(harness.writer(dispatcher), event);
    dispatcher.close();

    assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
  }
}
