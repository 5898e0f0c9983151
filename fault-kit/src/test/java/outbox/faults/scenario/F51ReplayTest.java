package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.Outbox;
import outbox.dead.BatchOptions;
import outbox.dead.BatchProgress;
import outbox.dead.BatchProgress.State;
import outbox.faults.check.Checker;
import outbox.faults.check.Traffic;
import outbox.faults.node.Mode;
import outbox.faults.world.World;
import outbox.model.DeadFilter;

/** An operator replays what died, while the business goes on. */
@Tag(Scenario.ALONE)
class F51ReplayTest extends CalmScenario {

  private static final Duration SOON = Duration.ofSeconds(3);

  @Test
  void replayOfAHundredThousandLeavesTheLiveEventsTheirThroughput() throws Exception {
    replay(100_000, 2500);
  }

  private void replay(int count, int rate) throws Exception {
    protocol.about(
        "100 events/s for 100 keys, 2 nodes, MULTI",
        "%,d dead events are replayed, %,d per second".formatted(count, rate));
    World world = world();
    List<String> keys = keys("old", 1000);
    world.accounts().open(keys, count / keys.size());
    world
        .tables()
        .execute(
            "UPDATE outbox_event SET status = 3, attempts = 10, done_at = created_at,"
                + " last_error = 'the destination was away'");
    var nodes = world.cluster().start(2, relay(world, Mode.MULTI));
    world.cluster().start(world.writer(100, 100));
    world.awaitDeliveriesOf(nodes);

    awaitCaughtUp(world, 0);
    long from = System.nanoTime();
    BatchProgress end = replay(world, BatchOptions.defaults().withEventsPerSecond(rate));
    long to = System.nanoTime();
    world.settle();

    assertThat(end).isEqualTo(new BatchProgress(State.COMPLETED, count, count, 0));
    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    Traffic traffic = new Traffic(world.history());
    assertThat(traffic.share(from, to, event -> event.key().startsWith("a")))
        .as("throughput of the live events")
        .isGreaterThanOrEqualTo(0.9);
    assertThat(traffic.slowest(from, to, event -> event.key().startsWith("a")))
        .as("latency of the live events")
        .isLessThan(SOON);
    checker.deliveredWithin(Duration.ofSeconds(30), to);
    protocol.converged(checker.lag(to));
  }

  static BatchProgress replay(World world, BatchOptions options) {
    try (Outbox operator = Outbox.writerOnly().database(world.outbox()).build()) {
      return operator.dead().replay(DeadFilter.all(), options);
    }
  }
}
