package outbox.faults.scenario;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.World;

/** A call takes longer than a lease, and what waits for its turn waits for several. */
class F27SlowDestinationTest extends CalmScenario {

  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration WORK = Duration.ofSeconds(6);
  private static final Duration NOTICE = Duration.ofSeconds(10);
  private static final int EVENTS = 12;

  @Test
  void claimsAreKeptUntilASlowDestinationHasTakenTheEvent() throws Exception {
    deliverSlowly(Mode.MULTI);
  }

  @Test
  void partitionsAreKeptUntilASlowDestinationHasTakenTheEvent() throws Exception {
    deliverSlowly(Mode.ORDERED);
  }

  private void deliverSlowly(Mode mode) throws Exception {
    protocol.about(
        "%d events, 2 nodes, lease %ds, %s".formatted(EVENTS, LEASE.toSeconds(), mode),
        "a call takes %ds".formatted(WORK.toSeconds()));
    World world = world();
    NodeSettings relay = world.relay(mode).work(WORK).lease(LEASE);
    var nodes = world.cluster().start(2, relay);
    if (mode == Mode.ORDERED) {
      world.awaitShared(nodes);
    }

    world.accounts().open(keys("a", EVENTS), 1);
    long written = System.nanoTime();
    world.settle();

    // If one node was the first to claim them all, its workers have so many rounds.
    Duration rounds = WORK.multipliedBy(EVENTS / relay.workers());
    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .noRepeats()
            .deliveredWithin(rounds.plus(NOTICE), written);
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    protocol.converged(checker.lag(written));
  }
}
