package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.testing.Harness;
import outbox.testing.MutableClock;

class DispatcherFailureTest {

  private final Harness harness = new Harness();

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void failedEventIsTriedAgainWhenThePolicySays() {
    MutableClock clock = new MutableClock(Instant.parse("2030-01-02T03:04:05Z"));
    List<Integer> asked = new ArrayList<>();
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .clock(clock)
                .retryPolicy(
                    tries -> {
                      asked.add(tries);
                      return 1500;
                    }));
    harness.onEvent(
        event -> {
          throw new IllegalStateException("connection refused");
        });
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.RETRY, event);
    EventDetails row = harness.row(event);
    assertThat(row.event().attempts()).isEqualTo(1);
    assertThat(row.availableAt()).isEqualTo(Instant.parse("2030-01-02T03:04:06.500Z"));
    assertThat(row.lastError()).isEqualTo("java.lang.IllegalStateException: connection refused");
    assertThat(asked).containsExactly(1);
    Harness.eventually(() -> harness.metrics.failures() == 1);
    assertThat(harness.metrics.dead()).isZero();
  }

  @Test
  void policyIsAskedWithTheNumberOfTriesMade() {
    List<Integer> asked = new ArrayList<>();
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .retryPolicy(
                    tries -> {
                      asked.add(tries);
                      return 0;
                    }));
    harness.failFirst(1);
    EventEnvelope event = harness.stored();

    dispatcher.enqueueCold(Harness.cold(event, 6));

    harness.awaitStatus(EventStatus.RETRY, event);
    assertThat(asked).containsExactly(7);
  }

  @Test
  void eventIsDeadAfterExactlyAsManyTriesAsAllowed() {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().maxAttempts(3).retryPolicy(tries -> 0));
    harness.build(harness.poller(dispatcher)).start();
    harness.failFirst(Integer.MAX_VALUE);
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.DEAD, event);
    assertThat(harness.listener.count()).isEqualTo(3);
    assertThat(harness.row(event).event().attempts()).isEqualTo(3);
    assertThat(harness.row(event).lastError()).contains("refused");
    Harness.eventually(() -> harness.metrics.dead() == 1);
    assertThat(harness.metrics.failures()).isEqualTo(2);
  }

  @Test
  void withOneAttemptTheFirstFailureIsFinal() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().maxAttempts(1));
    harness.failFirst(1);
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.DEAD, event);
    assertThat(harness.row(event).event().attempts()).isEqualTo(1);
  }

  @Test
  void eventWithoutListenerIsDeadAtOnce() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    EventEnvelope event = EventEnvelope.ofJson("Unknown", "{\"secret\":1}");
    harness.store.insertNew(null, event);

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.DEAD, event);
    EventDetails row = harness.row(event);
    assertThat(row.event().attempts()).isEqualTo(1);
    assertThat(row.lastError())
        .startsWith(UnroutableEventException.class.getName())
        .contains("Unknown")
        .doesNotContain("secret");
    Harness.eventually(() -> harness.metrics.dead() == 1);
  }

  @Test
  void errorOfAListenerIsAFailureOfThatEventOnly() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    AtomicBoolean failed = new AtomicBoolean();
    harness.onEvent(
        event -> {
          if (failed.compareAndSet(false, true)) {
            throw new StackOverflowError("too deep");
          }
        });
    EventEnvelope bad = harness.stored();
    EventEnvelope good = harness.stored();

    dispatcher.enqueueHot(Harness.hot(bad));
    dispatcher.enqueueHot(Harness.hot(good));

    harness.awaitDone(good);
    harness.awaitStatus(EventStatus.RETRY, bad);
    assertThat(harness.row(bad).lastError()).isEqualTo("java.lang.StackOverflowError: too deep");
    assertThat(harness.row(bad).event().attempts()).isEqualTo(1);
  }

  @Test
  void failureThatCannotBeDescribedIsStillAFailure() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.onEvent(
        event -> {
          throw new IllegalStateException() {
            @Override
            public String getMessage() {
              throw new AssertionError("no message");
            }
          };
        });
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.RETRY, event);
    assertThat(harness.row(event).lastError()).isNotBlank();
  }

  @Test
  void causesAreTold() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.onEvent(
        event -> {
          throw new IllegalStateException("outer", new IllegalArgumentException("inner"));
        });
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.RETRY, event);
    assertThat(harness.row(event).lastError()).contains("outer").contains("inner");
  }

  @Test
  void throwingPolicyIsReplacedByTheDefault() {
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .retryPolicy(
                    tries -> {
                      throw new AssertionError("policy");
                    }));
    harness.failFirst(1);
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.RETRY, event);
    assertThat(harness.row(event).event().attempts()).isEqualTo(1);
    assertThat(harness.row(event).availableAt()).isAfter(harness.row(event).event().createdAt());
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE})
  void absurdDelaysAreBounded(long delayMs) {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().retryPolicy(tries -> delayMs));
    harness.failFirst(1);
    EventEnvelope event = harness.stored();
    Instant before = Clock.systemUTC().instant().minusSeconds(1);

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.RETRY, event);
    assertThat(harness.row(event).availableAt())
        .isBetween(before, before.plusSeconds(20L * 366 * 24 * 3600));
  }

  @Test
  void throwingRegistryIsAFailureOfThatEvent() {
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .listenerRegistry(
                    (aggregateType, eventType) -> {
                      throw new IllegalStateException("registry");
                    }));
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.RETRY, event);
    assertThat(harness.row(event).lastError()).contains("registry");
  }

  @Test
  void interruptThatAListenerLeavesBehindDoesNotReachTheNext() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    List<Boolean> interrupted = new ArrayList<>();
    harness.onEvent(
        event -> {
          interrupted.add(Thread.currentThread().isInterrupted());
          Thread.currentThread().interrupt();
        });
    EventEnvelope first = harness.stored();
    EventEnvelope second = harness.stored();

    dispatcher.enqueueHot(Harness.hot(first));
    dispatcher.enqueueHot(Harness.hot(second));

    harness.awaitDone(first, second);
    assertThat(interrupted).containsExactly(false, false);
  }

  @Test
  void payloadNeverReachesTheError() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.onEvent(
        event -> {
          throw new IllegalArgumentException("can't handle " + event);
        });
    EventEnvelope event = EventEnvelope.ofJson(Harness.TYPE, "{\"card\":\"4111-1111\"}");
    harness.store.insertNew(null, event);

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.RETRY, event);
    assertThat(harness.row(event).lastError()).contains(event.eventId()).doesNotContain("4111-1");
  }
}
