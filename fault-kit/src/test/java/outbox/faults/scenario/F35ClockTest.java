package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Traffic;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.node.Switches;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** Wall clocks jump, or were never right. Only the database's counts. */
class F35ClockTest extends CalmScenario {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration JUMP = Duration.ofSeconds(4);

  /** Shorter than two jumps, longer than a busy machine keeps a process waiting. */
  private static final Duration LEASE = Duration.ofSeconds(6);

  /** Much less than an hour, and enough on a busy machine. */
  private static final Duration PROMPT = Duration.ofSeconds(15);

  @Test
  void clocksThatJumpChangeNothing() throws Exception {
    jump(Mode.MULTI);
  }

  @Test
  void clocksThatJumpMoveNoPartition() throws Exception {
    jump(Mode.ORDERED);
  }

  private void jump(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes that refuse a tenth, %s".formatted(mode),
        "clocks of writer and one node jump an hour forwards, then backwards, lease 6s");
    World world = world();
    var nodes = world.cluster().start(2, world.relay(mode).lease(LEASE).failing(10));
    NodeProcess writer = world.cluster().start(world.writer(200, 100));
    world.awaitDeliveriesOf(nodes);

    for (Duration offset : new Duration[] {HOUR, HOUR.negated(), Duration.ZERO}) {
      world.switches().set(Switches.clockOf(writer.name()), offset.toString());
      world.switches().set(Switches.clockOf(nodes.get(0).name()), offset.toString());
      world.awaitTime(System.nanoTime(), offset.isZero() ? Duration.ZERO : JUMP);
      world.awaitDeliveriesOf(nodes);
    }
    world.settle();

    assertJumped(world.cluster().log(writer));
    assertJumped(world.cluster().log(nodes.get(0)));
    assertThat(world.cluster().log(nodes.get(1))).doesNotContain("clock is off");
    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    requirePrompt(world);
  }

  @Test
  void eventsOfWritersWhoseClocksDifferComeInTheOrderOfTheirCommits() throws Exception {
    protocol.about(
        "2 writers of 100 events/s each for the same 2 keys, 2 nodes, ORDERED",
        "one writer's clock is an hour ahead, the other's an hour behind");
    World world = world();
    world.cluster().start(2, relay(world, Mode.ORDERED));
    NodeSettings writer = world.writer(100, 2).rollbacks(0);
    world.cluster().start(writer.clock(HOUR));
    world.cluster().start(writer.clock(HOUR.negated()));
    world.awaitTime(System.nanoTime(), Duration.ofSeconds(3));
    world.settle();

    judge(world).nothingPending().nothingDead().noRepeats().inOrder();
    requirePrompt(world);
  }

  /** The engine saw each of the jumps when it asked for the time. */
  private static void assertJumped(String log) {
    assertThat(log).contains("clock is off by " + HOUR, "clock is off by " + HOUR.negated());
  }

  private void requirePrompt(World world) {
    Duration slowest = new Traffic(world.history()).slowest(event -> true);
    assertThat(slowest).as("time from commit to delivery").isLessThan(PROMPT);
    protocol.converged(slowest);
  }
}
