package outbox.faults.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.faults.history.Journal;
import outbox.faults.history.Payload;

class DestinationTest {

  private static final int EVENTS = 200;

  @TempDir private Path folder;

  @Test
  void whichTriesAreRefusedIsDecidedByTheSeed() {
    List<Integer> seven = triesUntilDelivered(7);

    assertThat(triesUntilDelivered(7)).isEqualTo(seven);
    assertThat(triesUntilDelivered(8)).isNotEqualTo(seven);
  }

  @Test
  void asManyTriesAreRefusedAsAskedFor() {
    int tries = triesUntilDelivered(7).stream().mapToInt(Integer::intValue).sum();

    assertThat(100 * (tries - EVENTS) / tries).isBetween(40, 60);
  }

  /** By a listener that refuses one half. */
  private List<Integer> triesUntilDelivered(long seed) {
    NodeSettings settings =
        NodeSettings.of(Mode.MULTI, "jdbc:none", folder.toString()).failing(50).seed(seed);
    List<Integer> tries = new ArrayList<>();
    try (Journal journal = new Journal(folder, "node")) {
      Destination destination =
          new Destination(settings, new Switches(folder), journal, new Death(KillPoint.NOWHERE, 1));
      for (int version = 1; version <= EVENTS; version++) {
        tries.add(triesUntilDelivered(destination, version));
      }
    }
    return tries;
  }

  private static int triesUntilDelivered(Destination destination, int version) {
    EventEnvelope event =
        EventEnvelope.builder("Changed")
            .aggregateId("a")
            .payloadJson(Payload.of(version, 0))
            .build();
    for (int tries = 1; ; tries++) {
      try {
        destination.onEvent(event);
        return tries;
      } catch (Exception refused) {
        assertThat(refused).hasMessage("refused");
      }
    }
  }
}
