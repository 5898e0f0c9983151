package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.destination.ScriptedDestination.IS_AWAY;
import static outbox.destination.ScriptedDestination.TAKES;
import static outbox.destination.ScriptedDestination.deliver;
import static outbox.destination.ScriptedDestination.events;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import outbox.destination.internal.MonotonicClock;
import outbox.testing.MutableClock;

/** The time of day is for people; how long something takes doesn't depend on it. */
class GuardClockTest {

  private static final Instant NOON = Instant.parse("2030-01-31T12:00:00Z");

  private final MutableClock timeOfDay = new MutableClock(NOON);
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final ScriptedDestination destination = new ScriptedDestination("billing");
  private final GuardedDestination guard =
      GuardedDestination.builder(destination)
          .outageAfter(1)
          .clocks(timeOfDay, new MonotonicClock(NOON, nanos::get))
          .build();

  @Test
  void aDestinationIsAskedAgainInTimeAlsoIfTheTimeOfDayIsSetBack() {
    destination.script = IS_AWAY;
    deliver(guard, events(1));
    timeOfDay.advance(Duration.ofHours(-1));
    assertThat(guard.isTaking()).isFalse();

    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    destination.script = TAKES;
    assertThat(guard.isTaking()).isTrue();
    deliver(guard, events(1));

    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.UP);
    assertThat(guard.health().since()).isEqualTo(NOON.minus(Duration.ofHours(1)));
  }

  @Test
  void aDestinationIsNotAskedEarlierIfTheTimeOfDayIsSetForward() {
    destination.script = IS_AWAY;
    deliver(guard, events(1));

    timeOfDay.advance(Duration.ofHours(1));

    assertThat(guard.isTaking()).isFalse();
  }
}
