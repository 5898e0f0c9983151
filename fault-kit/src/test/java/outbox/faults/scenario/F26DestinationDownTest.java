package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Traffic;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.node.Switches;
import outbox.faults.world.World;

/**
 * A destination is away while a backlog builds, and its listener defers. Meanwhile it is asked no
 * more often than once per delay and event, with order once per delay and key, however many wait;
 * when it is back it gets no more at once than its workers can carry. Nor may the outage cost
 * attempts. What happens to a listener that throws is told by {@link F26ThrowingListenerTest}.
 */
class F26DestinationDownTest extends CalmScenario {

  /** What a listener asks for; the engine's shortest. */
  static final Duration DELAY = Duration.ofSeconds(1);

  /** A node that asks the database for its time again may find that it was late by this. */
  static final Duration TOLERANCE = Duration.ofMillis(500);

  static final int KEYS = 100;

  private static final Duration WORK = Duration.ofMillis(2);
  private static final Duration NOTICE = Duration.ofSeconds(5);
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void backlogOfADestinationThatWasDownIsDeliveredWithoutAStampede() throws Exception {
    down(Mode.MULTI, Duration.ofSeconds(4), 300);
  }

  @Test
  void keysOfADestinationThatWasDownGoOnInOrderWithoutAStampede() throws Exception {
    down(Mode.ORDERED, Duration.ofSeconds(4), 300);
  }

  @Test
  void backlogOfAMinuteIsDeliveredWithoutAStampede() throws Exception {
    down(Mode.MULTI, Duration.ofSeconds(60), 30);
  }

  @Test
  void keysWithABacklogOfAMinuteGoOnInOrderWithoutAStampede() throws Exception {
    down(Mode.ORDERED, Duration.ofSeconds(60), 30);
  }

  private void down(Mode mode, Duration outage, int rate) throws Exception {
    protocol.about(
        "%d events/s for %d keys, 1 node, %s".formatted(rate, KEYS, mode),
        "listeners defer for %ds".formatted(outage.toSeconds()));
    World world = world();
    NodeSettings relay = relay(world, mode).work(WORK);
    var node = world.cluster().start(relay);
    world.cluster().start(world.writer(rate, KEYS));
    world.awaitDeliveriesOf(node);

    long away = System.nanoTime();
    world.switches().set(Switches.BEHAVIOUR, Behaviour.DEFER.name());
    world.awaitTime(away, outage);
    world.awaitThat(() -> world.tables().pending() >= expected(outage, rate));
    int backlog = world.tables().pending();
    world.switches().set(Switches.BEHAVIOUR, Behaviour.DELIVER.name());
    long back = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    assertThat(world.tables().rows()).as("attempts").allMatch(row -> row.attempts() == 0);
    Traffic traffic = new Traffic(world.history());
    int waiting = mode == Mode.ORDERED ? KEYS : backlog;
    assertAskedAgain(traffic, waiting, away, back);
    assertSpared(traffic, waiting, relay, away, back);
    // As if one worker had to carry it all.
    Duration bound = DELAY.plus(NOTICE).plus(WORK.multipliedBy(backlog));
    protocol.converged(checker.deliveredWithin(bound, back).lag(back));
  }

  /** Most of what a writer commits meanwhile, however late it is. */
  static int expected(Duration outage, int rate) {
    return (int) (0.8 * rate * outage.toSeconds());
  }

  /** Whoever waits was deferred, and with order again in at least every second delay. */
  private static void assertAskedAgain(Traffic traffic, int waiting, long away, long back) {
    long rounds = waiting > KEYS ? 1 : (back - away) / DELAY.toNanos() / 2;
    assertThat(traffic.failures(away, back))
        .as("deferred calls")
        .isGreaterThanOrEqualTo((int) (waiting * rounds * 0.9));
  }

  private static void assertSpared(
      Traffic traffic, int waiting, NodeSettings relay, long away, long back) {
    assertThat(traffic.shortestPause())
        .as("time between two calls with an event")
        .isGreaterThan(DELAY.minus(TOLERANCE));
    // What was asked for when the switch was thrown may just have been delivered.
    assertThat(traffic.busiest(DELAY.minus(TOLERANCE), away + TOLERANCE.toNanos(), back))
        .as("calls per delay while nothing can be taken")
        .isLessThanOrEqualTo(waiting);
    long carried = relay.workers() * (SECOND.dividedBy(WORK) + 1);
    assertThat((long) traffic.busiest(SECOND, back, back + SECOND.toNanos() * 3))
        .as("calls per second when it is back")
        .isLessThanOrEqualTo(carried);
  }
}
