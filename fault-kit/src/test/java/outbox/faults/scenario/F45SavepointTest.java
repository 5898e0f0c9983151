package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.history.Entry;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** Half of all transactions write more, and go back to a savepoint before it. */
class F45SavepointTest extends CalmScenario {

  @Test
  void eventsTakenBackByASavepointAreNeverDelivered() throws Exception {
    takeBack(Mode.SINGLE);
  }

  @Test
  @Tag(QUICK)
  void claimedEventsTakenBackByASavepointAreNeverDelivered() throws Exception {
    takeBack(Mode.MULTI);
  }

  private void takeBack(Mode mode) throws Exception {
    protocol.about(
        "1,000 events for 50 keys, 1 node that writes and delivers, %s".formatted(mode),
        "half of all transactions go back to a savepoint");
    World world = world();
    NodeSettings settings = relay(world, mode).keys("a", 50).rate(400).events(1000).savepoints(50);
    world.accounts().add(settings.keys());
    NodeProcess node = world.cluster().start(settings);
    node.awaitWritten();
    long written = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    assertThat(world.history().all(Entry.RolledBack.class))
        .as("what was taken back")
        .hasSizeGreaterThan(100);
    protocol.converged(checker.lag(written));
  }
}
