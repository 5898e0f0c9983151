package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.spi.Claim;

@Timeout(120)
class WatchdogTest {

  private static final Duration TIMEOUT = Duration.ofMillis(20);

  private static final Interceptors NO_INTERCEPTORS =
      new Interceptors(List.of(), new FailureText(ErrorRedactor.withoutPayload(), 100));

  private final Watchdog watchdog = Objects.requireNonNull(Watchdog.of(TIMEOUT));
  private final Caller caller = new Caller(NO_INTERCEPTORS, watchdog);

  private static Delivery delivery(Lease lease) {
    EventEnvelope envelope = EventEnvelope.ofJson("T", "{}");
    return new Delivery(
        new QueuedEvent(envelope, QueuedEvent.Source.HOT, 0), InFlight.Hold.NONE, lease);
  }

  @AfterEach
  void close() {
    watchdog.close();
  }

  @Test
  void slowCallIsInterruptedAndFails() {
    watchdog.start();
    Delivery delivery = delivery(null);

    Throwable failure = caller.call(List.of(delivery), () -> new CountDownLatch(1).await());

    assertThat(failure)
        .isInstanceOf(DispatchTimeoutException.class)
        .hasMessageContaining(delivery.eventId())
        .hasMessageContaining(TIMEOUT.toString())
        .hasCauseInstanceOf(InterruptedException.class);
  }

  @Test
  void quickCallIsLeftAlone() {
    try (Watchdog patient = Objects.requireNonNull(Watchdog.of(Duration.ofMinutes(1)))) {
      patient.start();
      Caller quick = new Caller(NO_INTERCEPTORS, patient);

      assertThat(quick.call(List.of(delivery(null)), () -> {})).isNull();
      assertThat(
              quick.call(
                  List.of(delivery(null)),
                  () -> {
                    throw new IllegalStateException("refused");
                  }))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void interruptNeverComesAfterTheCall() {
    watchdog.start();
    int late = 0;
    for (int i = 0; i < 300; i++) {
      long parkNanos = TIMEOUT.toNanos() - 1_000_000 + i * 7_000L; // ends about when it is due
      Throwable failure =
          caller.call(List.of(delivery(null)), () -> LockSupport.parkNanos(parkNanos));
      boolean wasInterrupted = Thread.interrupted();
      late += failure == null ? 0 : 1;
      assertThat(wasInterrupted).isEqualTo(failure != null);
      LockSupport.parkNanos(100_000);
      assertThat(Thread.interrupted()).isFalse();
    }
    assertThat(late).isPositive();
  }

  @Test
  void ignoredInterruptLetsTheClaimExpire() {
    watchdog.start();
    Lease lease =
        new Lease(new Claim("node", Instant.EPOCH, Duration.ofHours(1), System.nanoTime()), false);

    Throwable failure =
        caller.call(
            List.of(delivery(lease)),
            () -> {
              while (lease.isOurs()) {
                Thread.onSpinWait();
              }
            });

    Thread.interrupted();
    assertThat(failure).isInstanceOf(DispatchTimeoutException.class).hasNoCause();
  }

  @Test
  void whatIsNotForgottenIsEndedOnce() {
    watchdog.start();
    AtomicInteger ended = new AtomicInteger();
    watchdog.watch(ended::incrementAndGet);
    AtomicInteger forgotten = watchedAndForgotten();

    await().atMost(Duration.ofMinutes(1)).until(() -> ended.get() > 0);

    AtomicInteger later = new AtomicInteger();
    watchdog.watch(later::incrementAndGet);
    await().atMost(Duration.ofMinutes(1)).until(() -> later.get() > 0);
    assertThat(ended).hasValue(1);
    assertThat(forgotten).hasValue(0);
  }

  /** Until it was forgotten in time: this thread may have had to wait for a processor. */
  private AtomicInteger watchedAndForgotten() {
    while (true) {
      AtomicInteger ended = new AtomicInteger();
      long start = System.nanoTime();
      watchdog.forget(watchdog.watch(ended::incrementAndGet));
      if (System.nanoTime() - start < TIMEOUT.toNanos()) {
        return ended;
      }
    }
  }

  @Test
  void withoutATimeoutNothingIsWatched() {
    assertThat(Watchdog.of(null)).isNull();
    assertThat(new Caller(NO_INTERCEPTORS, null).call(List.of(delivery(null)), () -> {})).isNull();
  }
}
