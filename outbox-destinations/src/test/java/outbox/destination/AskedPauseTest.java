package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.destination.ScriptedDestination.TAKES;
import static outbox.destination.ScriptedDestination.deliver;
import static outbox.destination.ScriptedDestination.events;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.internal.BatchMarks;
import outbox.testing.MutableClock;

/** A destination that says when to come back is taken at its word. */
class AskedPauseTest {

  private static final Duration ASKED = Duration.ofMinutes(3);

  private final MutableClock clock = new MutableClock(Instant.parse("2030-01-31T12:00:00Z"));
  private final ScriptedDestination destination = new ScriptedDestination("billing");
  private final GuardedDestination guard =
      GuardedDestination.builder(destination).clock(clock).build();

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whatIsPutOffComesNoSoonerThanAskedForWhateverWasDelivered(int delivered) {
    destination.script = taking(delivered, ASKED);
    List<EventEnvelope> events = events(3);

    BatchMarks marks = deliver(guard, events);

    assertThat(events.subList(delivered, 3))
        .allSatisfy(
            event ->
                assertThat(marks.failureOf(event))
                    .isInstanceOfSatisfying(
                        DeferException.class,
                        put -> assertThat(put.delay()).isGreaterThanOrEqualTo(ASKED)));
  }

  @Test
  void aDestinationThatTookSomethingAndAskedToBeLeftAloneIs() {
    destination.script = taking(1, ASKED);
    deliver(guard, events(3));

    assertThat(guard.isTaking()).isFalse();
    clock.advance(ASKED.minusSeconds(1));
    assertThat(guard.isTaking()).isFalse();
    clock.advance(Duration.ofSeconds(2));
    destination.script = TAKES;
    deliver(guard, events(1));

    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.UP);
    assertThat(destination.batches()).containsExactly(3, 1);
  }

  @Test
  void ofSeveralPausesTheLongestCounts() {
    destination.script =
        (events, result) -> {
          result.failed(events.get(0), new UnavailableException("busy", null, ASKED));
          throw new UnavailableException("busy", null, Duration.ofSeconds(1));
        };
    deliver(guard, events(2));

    clock.advance(ASKED.minusSeconds(1));

    assertThat(guard.isTaking()).isFalse();
  }

  private static ScriptedDestination.Script taking(int first, Duration asked) {
    return (events, result) -> {
      events.subList(0, first).forEach(result::delivered);
      throw new UnavailableException("too many", null, asked);
    };
  }
}
