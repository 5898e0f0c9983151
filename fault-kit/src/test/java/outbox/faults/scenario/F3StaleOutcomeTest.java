package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.node.Switches;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** A zombie's failure comes when its event has long been somebody else's. */
class F3StaleOutcomeTest extends Scenario {

  @Test
  void failureOfAZombieDoesNotFreeWhatItsSuccessorIsDelivering() throws Exception {
    protocol.about(
        "1 event, 3 nodes, listeners of 6s, MULTI",
        "SIGSTOP of its node until the successor delivers; then the zombie fails");
    World world = world();
    world.accounts().add(List.of("a"));
    NodeSettings relay = world.relay(Mode.MULTI).work(Duration.ofSeconds(6));
    world.switches().set(Switches.BEHAVIOUR, Behaviour.REFUSE.name());
    NodeProcess zombie = world.cluster().start(relay);
    world.accounts().write("a", 1);
    world.awaitThat(() -> world.history().callsOf(zombie.name()).size() == 1);
    world.cluster().pause(zombie);
    world.switches().set(Switches.BEHAVIOUR, Behaviour.DELIVER.name());
    world.cluster().start(2, relay);
    world.awaitThat(() -> world.history().calls().size() == 2);

    zombie.resume();
    world.settle();

    judge(world).nothingPending().nothingDead().noRepeats();
    assertThat(world.history().calls()).hasSize(2);
  }
}
