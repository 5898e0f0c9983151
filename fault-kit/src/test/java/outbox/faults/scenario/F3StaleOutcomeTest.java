package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.node.Switches;
import outbox.faults.world.NetworkProxy;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/**
 * A status is under way for longer than the lease it was sent with, and arrives when its event has
 * long been somebody else's: only the database can refuse it.
 */
class F3StaleOutcomeTest extends Scenario {

  /** Long enough that the first renewal comes after the status. */
  private static final Duration LEASE = Duration.ofSeconds(15);

  @Test
  void failureThatArrivesLateDoesNotFreeWhatASuccessorIsDelivering() throws Exception {
    protocol.about(
        "1 event, 3 nodes, listeners of 8s, MULTI",
        "the status of a failed try is held up on its way until a successor delivers, lease 15s");
    World world = world();
    world.accounts().add(List.of("a"));
    NodeSettings relay = world.relay(Mode.MULTI).lease(LEASE);
    try (NetworkProxy network = new NetworkProxy(world.database().url())) {
      world.switches().set(Switches.BEHAVIOUR, Behaviour.REFUSE.name());
      NodeProcess late =
          world.cluster().start(relay.url(network.url()).trusting().work(Duration.ofSeconds(3)));
      world.accounts().write("a", 1);
      world.awaitThat(() -> world.history().callsOf(late.name()).size() == 1);
      network.silence();
      world.switches().set(Switches.BEHAVIOUR, Behaviour.DELIVER.name());
      world.cluster().start(2, relay.work(Duration.ofSeconds(8)));
      world.awaitThat(() -> world.history().calls().size() == 2);

      network.heal();
      world.settle();
    }

    judge(world).nothingPending().nothingDead().noRepeats();
    assertThat(world.history().calls()).hasSize(2);
  }
}
