package outbox.jdbc.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events of other aggregates that are being delivered when an event kills their process. */
@Timeout(180)
abstract class DeadlyNeighbourContract extends OrderedProcesses {

  @Test
  void eventThatKillsItsProcessTakesNoOtherWithIt() throws Exception {
    String deadly = OrderedNode.DEADLY + 1;
    List<String> keys = Aggregates.keys(40);
    List<String> all = new ArrayList<>(keys);
    all.add(deadly);
    Aggregates aggregates = Aggregates.create(outbox, all);
    aggregates.write(keys.subList(0, 20), 3, () -> true);
    aggregates.write(deadly, 3);
    aggregates.write(keys.subList(20, 40), 3, () -> true);
    try (Cluster cluster = cluster(settings().attempts(4))) {
      cluster.restartUntil(() -> tables.events(deadly).get(0).status() == 3);

      awaitThat(() -> tables.pending() == 2 || tables.dead().size() > 1);
    }
    assertThat(tables.dead()).extracting(Tables.EventState::key).containsExactly(deadly);
  }
}
