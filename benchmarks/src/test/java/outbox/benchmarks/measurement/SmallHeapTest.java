package outbox.benchmarks.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A heap that a backlog doesn't fit into: whatever an event leaves behind, it soon is full. */
@Timeout(180)
class SmallHeapTest {

  private static final int EVENTS = 60_000;
  private static final int MEGABYTES = 20;

  private final Lab lab =
      new Lab(Scale.QUICK, 1, List.of(), new PrintStream(OutputStream.nullOutputStream()));

  @Test
  void relayKeepsNothingOfWhatItDelivered() throws Exception {
    try (lab) {
      assertThat(SmallHeap.drain(lab, RelayProcess.class, EVENTS, MEGABYTES))
          .satisfies(result -> assertThat(result.passed()).as(result.toString()).isTrue());
    }
  }

  /** Without which the other test would say nothing. */
  @Test
  void relayThatKeepsPayloadsRunsOutOfMemory() throws Exception {
    try (lab) {
      assertThat(SmallHeap.drain(lab, HoardingRelay.class, EVENTS, MEGABYTES).exitStatus())
          .isEqualTo(SmallHeap.OUT_OF_MEMORY);
    }
  }
}
