package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** A node comes with another number of partitions than those that run. */
class F9PartitionCountTest extends Scenario {

  private static final Duration SOON = Duration.ofSeconds(10);

  @Test
  void nodeWithAnotherNumberOfPartitionsIsRefusedAndTheOthersGoOn() throws Exception {
    protocol.about(
        "300 events/s for 100 keys, 2 nodes, ORDERED",
        "a node with 32 partitions joins those with 64");
    World world = world();
    NodeSettings relay = world.relay(Mode.ORDERED).lease(Duration.ofSeconds(30));
    List<NodeProcess> nodes = world.cluster().start(2, relay);
    world.awaitShared(nodes);
    world.cluster().start(world.writer(300, 100));
    world.awaitDeliveriesOf(nodes);
    List<String> owners = owners(world);

    NodeProcess stranger =
        world.cluster().launch(relay.partitions(32).named("stranger", "stranger"));
    world.cluster().died(stranger);
    long refused = System.nanoTime();

    assertThat(world.cluster().log(stranger))
        .contains("must have the same number of partitions on every node, got: 32 on node stranger")
        .containsPattern("while node node-\\d lives with 64");
    assertThat(world.tables().sessions(stranger.name())).isEmpty();
    assertThat(owners(world)).isEqualTo(owners);
    world.awaitDeliveriesOf(nodes);
    world.settle();
    assertThat(world.history().callsOf(stranger.name())).isEmpty();
    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .noRepeats()
            .inOrder()
            .zombiesOnlyOf(Map.of(), 0)
            .deliveredWithin(SOON, refused);
    protocol.converged(checker.lag(refused));
  }

  /** Who has each partition, and since which epoch. */
  private static List<String> owners(World world) {
    return world
        .tables()
        .query(
            "SELECT partition_no, session_id, epoch FROM outbox_lease ORDER BY partition_no",
            row -> row.getInt(1) + " " + row.getString(2) + " " + row.getLong(3));
  }
}
