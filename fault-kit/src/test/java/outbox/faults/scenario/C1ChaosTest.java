package outbox.faults.scenario;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.Chaos;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** Nodes are killed, paused, closed and started under load, several at once, again and again. */
class C1ChaosTest extends Scenario {

  private static final int NODES = 4;
  private static final long SEED = 42;

  /** Longer than a busy machine keeps a process waiting: nobody may lose one by himself. */
  private static final Duration LEASE = Duration.ofSeconds(5);

  private static final Duration NOTICE = Duration.ofSeconds(10);

  @Test
  @Tag(QUICK)
  void orderIsKeptAndNothingIsLostWhileNodesFail() throws Exception {
    survive(Mode.ORDERED, 300, 4_000, Duration.ofSeconds(12));
  }

  @Test
  void claimedEventsAreNotLostWhileNodesFail() throws Exception {
    survive(Mode.MULTI, 300, 9_000, Duration.ofSeconds(30));
  }

  @Test
  @Timeout(1200)
  void orderIsKeptAndNothingIsLostWhileNodesFailForLong() throws Exception {
    survive(Mode.ORDERED, 1_000, 36_000, Duration.ofSeconds(90));
  }

  /** All nodes together deliver twice as fast as is written, so half the time is enough for all. */
  private void survive(Mode mode, int keys, int events, Duration writing) throws Exception {
    World world = world();
    NodeSettings relay =
        world
            .relay(mode)
            .failing(5)
            .work(writing.multipliedBy(NODES * 4 / 2).dividedBy(events))
            .lease(LEASE)
            .seed(SEED);
    world.cluster().start(NODES, relay);
    int rate = (int) (events / writing.toSeconds());
    NodeProcess writer = world.cluster().start(world.writer(rate, keys).events(events).seed(SEED));
    Chaos chaos = new Chaos(world, relay, NODES, SEED);
    chaos.run(writer::hasWritten);
    world.settle();

    protocol.about(
        "%,d events of %,d keys in %ds, 5 %% refused, %d nodes, %s"
            .formatted(events, keys, writing.toSeconds(), NODES, mode),
        chaos.toString());
    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .deliveredWithin(writing.dividedBy(2).plus(LEASE).plus(NOTICE), chaos.calm())
            .repeatsOnlyFor(chaos.excuses());
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(world.cluster().pauses(), relay.workers());
    }
    protocol.converged(checker.lag(chaos.calm()));
  }
}
