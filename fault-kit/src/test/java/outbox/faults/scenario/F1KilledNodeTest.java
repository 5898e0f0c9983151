package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.history.Entry;
import outbox.faults.node.KillPoint;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** A process ends without a farewell, at each point of an event's life. */
class F1KilledNodeTest extends Scenario {

  private static final Duration LEASE = Duration.ofSeconds(5);

  /**
   * What others need besides the lease: to notice, to read and to deliver. Those that are started
   * in place of a node need it from when they run.
   */
  private static final Duration NOTICE = Duration.ofSeconds(5);

  /** With what is written, so little that one node catches up on a machine that is slow. */
  private static final Duration WORK = Duration.ofMillis(2);

  private static final Pattern LAST_WORDS =
      Pattern.compile("ends before the commit of (\\d+) statuses");

  @Test
  void claimsOfAKilledNodeAreTakenOver() throws Exception {
    assertThat(dies(Mode.MULTI, KillPoint.CLAIMED, 60).leftClaimed()).isNotEmpty();
  }

  @Test
  @Tag(QUICK)
  void readEventsOfAKilledNodeAreDeliveredInOrder() throws Exception {
    dies(Mode.ORDERED, KillPoint.CLAIMED, 60);
  }

  @Test
  @Tag(QUICK)
  void eventWhoseNodeDiedAfterItsDeliveryComesAgain() throws Exception {
    Loss loss = dies(Mode.MULTI, KillPoint.DELIVERED, 60);

    assertThat(loss.inHands()).isNotEmpty();
    assertThat(loss.repeats()).isNotEmpty();
  }

  @Test
  void eventWhoseNodeDiedAfterItsDeliveryComesAgainBeforeTheNextOfItsKey() throws Exception {
    Loss loss = dies(Mode.ORDERED, KillPoint.DELIVERED, 60);

    assertThat(loss.inHands()).isNotEmpty();
    assertThat(loss.repeats()).isNotEmpty();
  }

  @Test
  @Tag(ALONE)
  void groupWhoseStatusesWereNotCommittedComesAgain() throws Exception {
    diesBeforeCommitOfStatuses(Mode.MULTI);
  }

  @Test
  @Tag(ALONE)
  void groupWhoseStatusesWereNotCommittedComesAgainInOrder() throws Exception {
    diesBeforeCommitOfStatuses(Mode.ORDERED);
  }

  @Test
  void committedEventsThatNeverCameToTheHotQueueAreTakenOver() throws Exception {
    diesAfterCommit(Mode.MULTI);
  }

  @Test
  void committedEventsThatNeverCameToTheHotQueueAreDeliveredAfterARestart() throws Exception {
    diesAfterCommit(Mode.SINGLE);
  }

  @Test
  void partitionsOfAKilledNodeAreTakenOverByTheOthers() throws Exception {
    protocol.about("150 events/s for 100 keys, 3 nodes, ORDERED", "SIGKILL of one node, lease 5s");
    World world = world();
    NodeSettings relay = world.relay(Mode.ORDERED).lease(LEASE).work(WORK);
    List<NodeProcess> nodes = world.cluster().start(3, relay);
    world.awaitShared(nodes);
    world.cluster().start(world.writer(150, 100));
    world.awaitDeliveriesOf(nodes);

    NodeProcess victim = nodes.get(0);
    world.cluster().kill(victim);
    long killed = System.nanoTime();
    assertThat(world.tables().partitions(victim.name())).isPositive();
    Set<String> inHands = world.inHands(victim);
    world.awaitReplaced(victim);
    world.awaitShared(nodes.subList(1, 3));
    assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(LEASE.plus(NOTICE));
    world.settle();

    judgeLoss(world, Mode.ORDERED, Map.of(victim.name(), inHands), killed);
  }

  /** What a node left behind, and what became of it. */
  private record Loss(List<String> leftClaimed, Set<String> inHands, List<Entry.Call> repeats) {}

  /** One of two nodes dies when it comes to that point for the so manieth time. */
  private Loss dies(Mode mode, KillPoint point, int times) throws Exception {
    protocol.about(
        "150 events/s for 100 keys, 2 nodes, %s".formatted(mode),
        "one node ends at %s, lease 5s".formatted(point));
    World world = world();
    NodeSettings relay = world.relay(mode).lease(LEASE).work(WORK);
    world.cluster().start(relay);
    world.cluster().start(world.writer(150, 100));

    NodeProcess doomed = launchDoomed(world, relay.dieAt(point, times));
    world.cluster().died(doomed);
    long died = System.nanoTime();
    List<String> leftClaimed = world.tables().claimedBy(doomed.name());
    Set<String> inHands = world.inHands(doomed);
    world.awaitTime(died, Duration.ofSeconds(1));
    world.settle();

    Checker checker = judgeLoss(world, mode, Map.of(doomed.name(), inHands), died);
    return new Loss(leftClaimed, inHands, checker.repeats());
  }

  /** It may come to its point before it can say that it has started. */
  private static NodeProcess launchDoomed(World world, NodeSettings settings) {
    return world.cluster().launch(settings.named("doomed", "doomed"));
  }

  /**
   * Of a backlog, so that statuses come in groups: the third one is cut in the middle. Who takes
   * over has just been started, and needs the machine to be in time.
   */
  private void diesBeforeCommitOfStatuses(Mode mode) throws Exception {
    protocol.about(
        "backlog of 2,000 events for 100 keys, %s".formatted(mode),
        "a node ends at COMPLETING, lease 5s");
    World world = world();
    NodeSettings relay = world.relay(mode).lease(LEASE).keys("a", 100);
    world.accounts().open(relay.keys(), 20);
    NodeProcess doomed = launchDoomed(world, relay.dieAt(KillPoint.COMPLETING, 3));

    world.cluster().died(doomed);
    int group = uncommittedGroup(world.cluster().log(doomed));
    Set<String> inHands = world.inHands(doomed);
    assertThat(group).as("statuses in the group").isGreaterThan(1);
    assertThat(inHands).as("delivered, and still pending").hasSizeGreaterThanOrEqualTo(group);
    world.cluster().start(relay);
    long replaced = System.nanoTime();
    world.settle();

    Checker checker = judgeLoss(world, mode, Map.of(doomed.name(), inHands), replaced);
    assertThat(checker.repeats()).as("came again").hasSizeGreaterThanOrEqualTo(group);
  }

  /** How many statuses it had written and not committed, by its last words. */
  private static int uncommittedGroup(String log) {
    Matcher words = LAST_WORDS.matcher(log);
    assertThat(words.find()).as("ended before a commit: %s", log).isTrue();
    return Integer.parseInt(words.group(1));
  }

  /** The node that writes is the one that dies, so that nothing is written afterwards. */
  private void diesAfterCommit(Mode mode) throws Exception {
    protocol.about(
        "150 events/s for 100 keys by a node that delivers, %s".formatted(mode),
        "it ends at COMMITTED, lease 5s");
    World world = world();
    NodeSettings relay = world.relay(mode).lease(LEASE).keys("a", 100);
    world.accounts().add(relay.keys());
    NodeProcess doomed = launchDoomed(world, relay.rate(150).dieAt(KillPoint.COMMITTED, 150));

    world.cluster().died(doomed);
    Set<String> inHands = world.inHands(doomed);
    assertThat(world.tables().pending()).as("committed and not delivered").isPositive();
    world.cluster().start(relay);
    long replaced = System.nanoTime();
    world.settle();

    Checker checker = judgeLoss(world, mode, Map.of(doomed.name(), inHands), replaced);
    long known = world.history().all(Entry.Committed.class).mapToLong(this::size).sum();
    assertThat(checker.written()).as("events of which no writer knows").isGreaterThan(known);
    Duration last = Duration.ofNanos(lastDelivery(world) - replaced);
    assertThat(last).isLessThanOrEqualTo(LEASE.plus(NOTICE));
    protocol.converged(last);
  }

  private int size(Entry.Committed commit) {
    return commit.transaction().events().size();
  }

  private static long lastDelivery(World world) {
    return world.history().deliveries().stream().mapToLong(Entry.Ends::nanos).max().orElseThrow();
  }

  private Checker judgeLoss(World world, Mode mode, Map<String, Set<String>> inHands, long nanos)
      throws Exception {
    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .deliveredWithin(LEASE.plus(NOTICE), nanos)
            .repeatsOnlyAmong(inHands);
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(Map.of(), 0);
    }
    protocol.converged(checker.lag(nanos));
    return checker;
  }
}
