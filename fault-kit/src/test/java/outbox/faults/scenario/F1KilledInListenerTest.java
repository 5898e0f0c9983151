package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/**
 * A process ends long after its listeners were called and long before they return: whoever took
 * their events for delivered meanwhile has lost them.
 */
class F1KilledInListenerTest extends Scenario {

  private static final int KEYS = 20;
  private static final Duration WORK = Duration.ofSeconds(6);
  private static final Duration LEASE = Duration.ofSeconds(5);

  /** To start another process, to notice, to read and to deliver, on a busy machine. */
  private static final Duration NOTICE = Duration.ofSeconds(25);

  @Test
  void eventsWhoseListenersWereCalledAreDeliveredByAnother() throws Exception {
    kill(Mode.MULTI);
  }

  @Test
  void eventsWhoseListenersWereCalledAreDeliveredByAnotherInOrder() throws Exception {
    kill(Mode.ORDERED);
  }

  private void kill(Mode mode) throws Exception {
    protocol.about(
        "2 events for each of %d keys, 1 node and a successor, %s".formatted(KEYS, mode),
        "SIGKILL in the middle of listeners that take 6s, lease 5s");
    World world = world();
    NodeSettings relay = world.relay(mode).lease(LEASE).keys("a", KEYS);
    world.accounts().add(relay.keys());
    world.accounts().write(relay.keys(), 2, () -> true);
    NodeProcess victim = world.cluster().start(relay.work(WORK));
    world.awaitThat(() -> world.history().calls().size() == relay.workers());
    world.awaitTime(System.nanoTime(), WORK.dividedBy(2));

    world.cluster().kill(victim);
    long killed = System.nanoTime();
    assertThat(world.history().deliveries()).as("delivered before").isEmpty();
    world.cluster().start(relay);
    world.settle();

    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .noRepeats()
            .deliveredWithin(LEASE.plus(NOTICE), killed);
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    protocol.converged(checker.lag(killed));
  }
}
