package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;

class TracedWritesTest {

  private final EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{}");

  @Test
  void eventIsWhatTheTracerMakesOfIt() {
    EventEnvelope other = EventEnvelope.ofJson("OrderPlaced", "{}");

    assertThat(new TracedWrites(TracedWritesTest.class, given -> other).traced(event))
        .isSameAs(other);
  }

  @Test
  void eventOfATraceStaysInIt() {
    EventEnvelope traced = event.withHeaders(Map.of("traceparent", "00-0-0-0"));

    assertThat(new TracedWrites(TracedWritesTest.class, given -> event).traced(traced))
        .isSameAs(traced);
  }

  @Test
  void failureOfATracerLeavesTheEventAsItIs() {
    TracedWrites writes =
        new TracedWrites(
            TracedWritesTest.class,
            given -> {
              throw new NoSuchMethodError("of another version");
            });

    assertThat(writes.traced(event)).isSameAs(event);
  }

  @Test
  void failureOfTheJvmIsPassedOn() {
    TracedWrites writes =
        new TracedWrites(
            TracedWritesTest.class,
            given -> {
              throw new OutOfMemoryError("heap");
            });

    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> writes.traced(event));
  }
}
