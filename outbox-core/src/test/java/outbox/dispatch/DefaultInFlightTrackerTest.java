package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DefaultInFlightTrackerTest {

  @Test
  void eventIsHeldOnce() {
    InFlightTracker tracker = new DefaultInFlightTracker();

    assertThat(tracker.tryAcquire("a")).isTrue();
    assertThat(tracker.tryAcquire("a")).isFalse();
    assertThat(tracker.tryAcquire("b")).isTrue();

    tracker.release("a");
    assertThat(tracker.tryAcquire("a")).isTrue();
  }

  @Test
  void releaseOfAnUnknownEventIsHarmless() {
    InFlightTracker tracker = new DefaultInFlightTracker();

    tracker.release("a");

    assertThat(tracker.tryAcquire("a")).isTrue();
  }

  @Test
  void withoutATimeToLiveNothingExpires() {
    for (long ttlMs : new long[] {0, -1, Long.MIN_VALUE}) {
      InFlightTracker tracker = new DefaultInFlightTracker(ttlMs);
      tracker.tryAcquire("a");

      await()
          .during(Duration.ofMillis(20))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> !tracker.tryAcquire("a"));
    }
  }

  @Test
  void longestTimeToLiveDoesNotOverflow() {
    InFlightTracker tracker = new DefaultInFlightTracker(Long.MAX_VALUE);
    tracker.tryAcquire("a");

    assertThat(tracker.tryAcquire("a")).isFalse();
  }

  @Test
  void expiredEventCanBeTakenOverAndItsFirstOwnerNoticesAndFreesNothing() {
    InFlightTracker tracker = new DefaultInFlightTracker(1000); // longer than any pause here
    InFlightTracker.Hold first = tracker.acquire("a");
    assertThat(tracker.acquire("a")).isNull();

    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> tracker.acquire("a") != null);

    assertThat(first.isCurrent()).isFalse();
    first.release();
    assertThat(tracker.tryAcquire("a")).isFalse();
  }

  @Test
  void holdIsCurrentUntilReleased() {
    InFlightTracker tracker = new DefaultInFlightTracker();

    InFlightTracker.Hold hold = tracker.acquire("a");
    assertThat(hold.isCurrent()).isTrue();

    hold.release();
    assertThat(hold.isCurrent()).isFalse();
    assertThat(tracker.tryAcquire("a")).isTrue();
  }

  @Test
  void oneOfManyThreadsWins() throws Exception {
    InFlightTracker tracker = new DefaultInFlightTracker();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int i = 0; i < 200; i++) {
        String eventId = "event-" + i;
        List<Callable<Boolean>> attempts =
            Stream.<Callable<Boolean>>generate(() -> () -> tracker.tryAcquire(eventId))
                .limit(8)
                .toList();
        int winners = 0;
        for (Future<Boolean> result : threads.invokeAll(attempts)) {
          winners += result.get() ? 1 : 0;
        }
        assertThat(winners).isEqualTo(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void trackerWithTwoMethodsOnlyHasHoldsToo() {
    DefaultInFlightTracker entries = new DefaultInFlightTracker();
    InFlightTracker plain =
        new InFlightTracker() {
          @Override
          public boolean tryAcquire(String eventId) {
            return entries.tryAcquire(eventId);
          }

          @Override
          public void release(String eventId) {
            entries.release(eventId);
          }
        };

    InFlightTracker.Hold hold = plain.acquire("a");
    assertThat(plain.acquire("a")).isNull();
    assertThat(hold.isCurrent()).isTrue();

    hold.release();
    assertThat(plain.acquire("a")).isNotNull();
  }
}
