package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Traffic;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** One transaction has more events than all queues of a node. */
class F44LargeTransactionTest extends CalmScenario {

  private static final String LARGE = "large";

  @Test
  void transactionThatOverflowsTheHotPathIsDelivered() throws Exception {
    protocol.about(
        "15,000 events, 1 node that writes and delivers, MULTI",
        "up to 9,000 events in a transaction, queues of 2,000");
    World world = world();
    NodeSettings settings =
        relay(world, Mode.MULTI).keys("a", 20).rate(100_000).events(15_000).eventsOfKey(3000);
    world.accounts().add(settings.keys());
    NodeProcess node = world.cluster().start(settings);
    node.awaitWritten();
    long written = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    assertThat(checker.written()).isGreaterThanOrEqualTo(15_000);
    protocol.converged(checker.lag(written));
  }

  @Test
  void hundredThousandEventsOfOneTransactionAreDelivered() throws Exception {
    commit(Mode.MULTI);
  }

  @Test
  void hundredThousandEventsOfOneTransactionAreDeliveredInOrder() throws Exception {
    commit(Mode.ORDERED);
  }

  private void commit(Mode mode) throws Exception {
    protocol.about(
        "50 events/s for 20 keys, 2 nodes, %s".formatted(mode),
        "one transaction with 100,000 events for 1,000 keys");
    World world = world();
    var nodes = world.cluster().start(2, relay(world, mode));
    world.cluster().start(world.writer(50, 20));
    world.awaitDeliveriesOf(nodes);
    List<String> keys = keys(LARGE, 1000);
    long began = System.nanoTime();
    world.accounts().open(keys, 100);
    long committed = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    assertThat(
            new Traffic(world.history())
                .deliveredBefore(
                    committed,
                    began,
                    began + (committed - began) / 2,
                    event -> !event.key().startsWith(LARGE)))
        .as("delivered while the transaction was open, of what others committed by half that time")
        .isGreaterThanOrEqualTo(0.9);
    checker.deliveredWithin(Duration.ofMinutes(2), committed);
    protocol.converged(checker.lag(committed));
  }
}
