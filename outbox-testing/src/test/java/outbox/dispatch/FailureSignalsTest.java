package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.RetryAfterException;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.testing.Harness;
import outbox.testing.MutableClock;

/** How a listener says what is to become of an event that it couldn't handle. */
@Timeout(120)
class FailureSignalsTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  private final Harness harness = new Harness();
  private final MutableClock clock = new MutableClock(NOW);

  @AfterEach
  void close() {
    harness.close();
  }

  private EventEnvelope deliver(EventListener listener) {
    harness.onEvent(listener);
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().clock(clock).retryPolicy(tries -> 0));
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(event));
    Harness.eventually(() -> harness.row(event).availableAt().isAfter(NOW) || hasEnded(event));
    return event;
  }

  private boolean hasEnded(EventEnvelope event) {
    return harness.status(event) == EventStatus.DEAD || harness.status(event) == EventStatus.DONE;
  }

  @Test
  void retryAfterIsCountedAndComesNoEarlier() {
    EventEnvelope event =
        deliver(
            e -> {
              throw new RetryAfterException(Duration.ofMinutes(7), "busy until later");
            });

    EventDetails row = harness.row(event);
    assertThat(row.status()).isEqualTo(EventStatus.RETRY);
    assertThat(row.event().attempts()).isEqualTo(1);
    assertThat(row.availableAt()).isEqualTo(NOW.plusSeconds(420));
    assertThat(row.lastError()).contains("busy until later");
  }

  @Test
  void nonRetryableIsDeadThoughTriesAreLeft() {
    EventEnvelope event =
        deliver(
            e -> {
              throw new CompletionException(new NonRetryableException("malformed"));
            });

    EventDetails row = harness.row(event);
    assertThat(row.status()).isEqualTo(EventStatus.DEAD);
    assertThat(row.event().attempts()).isEqualTo(1);
    assertThat(row.lastError()).contains("malformed");
    assertThat(harness.listener.count()).isEqualTo(1);
  }

  @Test
  void deferredEventIsAsGoodAsNew() {
    EventEnvelope event =
        deliver(
            e -> {
              throw new DeferException(Duration.ofMinutes(7), "paused");
            });

    EventDetails row = harness.row(event);
    assertThat(row.status()).isEqualTo(EventStatus.NEW);
    assertThat(row.event().attempts()).isZero();
    assertThat(row.availableAt()).isEqualTo(NOW.plusSeconds(420));
    assertThat(row.lastError()).isNull();
    assertThat(harness.metrics.failures()).isZero();
  }

  @Test
  void deferredEventComesBackWhenItsTimeHasCome() {
    AtomicBoolean paused = new AtomicBoolean(true);
    harness.onEvent(
        e -> {
          if (paused.getAndSet(false)) {
            throw new DeferException(Duration.ZERO, "paused");
          }
        });
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG)).start();
    EventEnvelope event = Harness.event();

    harness.write(harness.writer(dispatcher), event);

    harness.awaitDone(event);
    assertThat(harness.listener.count()).isEqualTo(2);
    assertThat(harness.row(event).event().attempts()).isZero();
  }

  @Test
  void deferringATakenOverEventTakesItsStartBack() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.onEvent(
        e -> {
          throw new DeferException(Duration.ofMinutes(7), "paused");
        });
    EventEnvelope event = harness.leftBehind(1, 0).get(0);
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    Instant before = harness.row(event).availableAt();

    poller.poll();

    Harness.eventually(() -> harness.row(event).availableAt().isAfter(before));
    assertThat(harness.row(event).event().attempts()).isZero();
    assertThat(harness.row(event).lockedBy()).isNull();
  }
}
