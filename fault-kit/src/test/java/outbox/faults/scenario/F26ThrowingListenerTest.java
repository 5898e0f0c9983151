package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import outbox.dead.BatchOptions;
import outbox.faults.check.Checker;
import outbox.faults.check.Row;
import outbox.faults.check.Traffic;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.node.Switches;
import outbox.faults.world.World;

/**
 * A destination is away, and its listener throws instead of deferring.
 *
 * <p><b>A listener that throws burns attempts</b>: the engine can't tell an outage from an event
 * that will never be taken. One that says when to come again ({@code RetryAfterException}) burns
 * one per delay, so that an outage of fewer delays than there are attempts costs nothing else. One
 * that just throws burns them as fast as the retry policy allows, and an outage that lasts longer
 * buries whatever was tried: with order, the first event of each key, behind which the others wait.
 * Nothing is lost; an operator replays it. To defer is the better answer, and nothing but the
 * listener pauses a destination as a whole.
 */
class F26ThrowingListenerTest extends CalmScenario {

  private static final int ATTEMPTS = 10;

  /** More than there are delays in an outage, however long the machine takes. */
  private static final int MANY_ATTEMPTS = 100;

  private static final int RATE = 200;
  private static final Duration NOTICE = Duration.ofSeconds(10);
  private static final Duration WORK = Duration.ofMillis(1);

  @Test
  void outageCostsAnAttemptPerDelayOfEventsWhoseListenerAsksForLater() throws Exception {
    askLater(Mode.MULTI);
  }

  @Test
  void outageCostsAnAttemptPerDelayOfKeysWhoseListenerAsksForLater() throws Exception {
    askLater(Mode.ORDERED);
  }

  @Test
  void eventsThatAnOutageBuriedAreReplayed() throws Exception {
    bury(Mode.MULTI);
  }

  @Test
  void keysThatAnOutageBlockedAreReplayedAndGoOnInOrder() throws Exception {
    bury(Mode.ORDERED);
  }

  private void askLater(Mode mode) throws Exception {
    Duration outage = Duration.ofSeconds(4);
    Away away = away(mode, outage, Behaviour.ASK_LATER, MANY_ATTEMPTS);
    World world = away.world();
    world.awaitThat(
        () -> world.tables().pending() >= F26DestinationDownTest.expected(outage, RATE));
    long back = back(world);
    Duration taken = Duration.ofNanos(back - away.since());
    world.settle();

    Checker checker = judged(world, mode);
    Duration shortest = F26DestinationDownTest.DELAY.minus(F26DestinationDownTest.TOLERANCE);
    assertThat(world.tables().rows())
        .extracting(Row::attempts)
        .as("attempts that the outage cost")
        .anyMatch(attempts -> attempts > 1)
        .allMatch(attempts -> attempts <= taken.dividedBy(F26DestinationDownTest.DELAY) + 2);
    assertThat(new Traffic(world.history()).shortestPause())
        .as("time between two calls with an event")
        .isGreaterThan(shortest);
    protocol.converged(checker.deliveredWithin(NOTICE, back).lag(back));
  }

  private void bury(Mode mode) throws Exception {
    Duration outage = Duration.ofSeconds(3);
    World world = away(mode, outage, Behaviour.REFUSE, ATTEMPTS).world();
    int expected =
        mode == Mode.ORDERED
            ? F26DestinationDownTest.KEYS / 2
            : F26DestinationDownTest.expected(outage, RATE) / 2;
    // How soon the attempts are used up is for the retry policy and the machine to say.
    world.awaitThat(() -> world.tables().dead() >= expected);
    Collection<String> reasons =
        world
            .tables()
            .query(
                "SELECT DISTINCT last_error FROM outbox_event WHERE status = 3",
                row -> row.getString(1));
    long back = back(world);
    world.stopWriting();
    // What failed for the last time when the destination came back dies after the first replay.
    world.awaitThat(
        () -> {
          F51ReplayTest.replay(world, BatchOptions.defaults());
          return world.tables().pending() == 0 && world.tables().dead() == 0;
        });
    world.settle();

    assertThat(reasons).as("reasons").isNotEmpty().allMatch(reason -> reason.contains("refused"));
    Checker checker = judged(world, mode);
    assertThat(new Traffic(world.history()).mostTries())
        .as("calls with an event before and after its replay")
        .isBetween(ATTEMPTS, 2 * ATTEMPTS);
    protocol.converged(checker.deliveredWithin(NOTICE, back).lag(back));
  }

  private record Away(World world, long since) {}

  /** Returns when the destination was away for so long. */
  private Away away(Mode mode, Duration outage, Behaviour behaviour, int attempts)
      throws Exception {
    protocol.about(
        "%d events/s for %d keys, 1 node with %d attempts, %s"
            .formatted(RATE, F26DestinationDownTest.KEYS, attempts, mode),
        "listeners %s for %ds at least".formatted(behaviour, outage.toSeconds()));
    World world = world();
    NodeSettings relay = relay(world, mode).work(WORK).attempts(attempts);
    var node = world.cluster().start(relay);
    world.cluster().start(world.writer(RATE, F26DestinationDownTest.KEYS));
    world.awaitDeliveriesOf(node);
    long away = System.nanoTime();
    world.switches().set(Switches.BEHAVIOUR, behaviour.name());
    world.awaitTime(away, outage);
    return new Away(world, away);
  }

  private static long back(World world) {
    world.switches().set(Switches.BEHAVIOUR, Behaviour.DELIVER.name());
    return System.nanoTime();
  }

  private Checker judged(World world, Mode mode) throws Exception {
    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    return mode == Mode.ORDERED ? checker.inOrder() : checker;
  }
}
