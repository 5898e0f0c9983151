package outbox.jdbc.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What can happen to nodes that deliver in order, one thing at a time. */
@Timeout(300)
abstract class OrderedScenarioContract extends OrderedProcesses {

  private static final int NEW = 0;
  private static final int DEAD = 3;

  /** One has stamped its events long ago, the other's fall due only after a while. */
  @Test
  void writersWhoseClocksDifferAreDeliveredInTheOrderOfTheirCommits() throws Exception {
    Aggregates aggregates = Aggregates.create(outbox, List.of("a"));
    Aggregates slow = aggregates.withClock(Clock.offset(Clock.systemUTC(), Duration.ofHours(-1)));
    Aggregates fast = aggregates.withClock(Clock.offset(Clock.systemUTC(), Duration.ofSeconds(3)));
    try (Cluster cluster = cluster(settings())) {
      cluster.start(2);

      for (int i = 0; i < 20; i++) {
        fast.write("a", 1);
        slow.write("a", 1);
      }

      awaitThat(() -> tables.pending() == 0);
    }
    judge(aggregates);
    assertThat(history().succeeded("a")).isEqualTo(versions(40));
  }

  @Test
  void nodeThatStandsStillIsReplacedAndChangesNothingAnyMore() throws Exception {
    List<String> keys = Aggregates.keys(40);
    Aggregates aggregates = Aggregates.create(outbox, keys);
    try (Cluster cluster = cluster(settings().working(Duration.ofMillis(500)))) {
      NodeProcess zombie = cluster.start();
      cluster.awaitShared();
      aggregates.write(keys, 1, () -> true);
      awaitThat(() -> history().begun().size() >= OrderedNode.WORKERS);
      cluster.pause(zombie);
      long paused = System.nanoTime();
      NodeProcess successor = cluster.start();
      cluster.awaitReplaced(zombie);
      assertThat(Duration.ofNanos(System.nanoTime() - paused))
          .isLessThan(LEASE.plus(Duration.ofSeconds(5)));
      awaitThat(() -> tables.pending() == 0);
      List<String> ended = tables.endedEvents();
      int inHands = history().callsOf(zombie.name());

      zombie.resume();
      cluster.awaitPartitions(zombie);

      assertThat(tables.endedEvents()).isEqualTo(ended);
      assertThat(history().callsOf(zombie.name())).isEqualTo(inHands);
      assertThat(history().callsOf(successor.name())).isEqualTo(keys.size());
      aggregates.write(keys, 1, () -> true);
      awaitThat(() -> tables.pending() == 0);
      judge(aggregates).requireZombiesOnlyOf(cluster.pauses());
    }
  }

  @Test
  void nodesThatComeAndGoDeliverEverythingOnce() throws Exception {
    List<String> keys = Aggregates.keys(200);
    Aggregates aggregates = Aggregates.create(outbox, keys);
    NodeSettings settings = settings().failing(5).lease(Duration.ofSeconds(30));
    try (Cluster cluster = cluster(settings);
        Writers writers = new Writers(aggregates, keys, 60_000, Duration.ofMinutes(2))) {
      cluster.start();
      List<NodeProcess> passing = cluster.start(7);
      awaitThat(() -> history().nodes() == 8);
      passing.forEach(cluster::shutDown);
      writers.stop();
      writers.await();
      awaitThat(() -> tables.pending() == 0);
      cluster.running().forEach(NodeProcess::shutDown);
    }

    Verdict verdict = judge(aggregates);
    assertThat(verdict.repeats()).isZero();
    assertThat(verdict.zombies()).isZero();
  }

  @Test
  void nodesOfTheSameNameShareTheWorkAsOthersDo() throws Exception {
    List<String> keys = Aggregates.keys(100);
    Aggregates aggregates = Aggregates.create(outbox, keys);
    try (Cluster cluster = cluster(settings().lease(Duration.ofSeconds(30)))) {
      cluster.startAs("twin");
      NodeProcess other = cluster.startAs("twin");
      awaitThat(() -> tables.owners() == 2);
      writeRounds(aggregates, keys, 10);
      awaitThat(() -> tables.pending() == 0);
      assertThat(history().nodes()).isEqualTo(2);

      cluster.shutDown(other);
      writeRounds(aggregates, keys, 2);
      awaitThat(() -> tables.pending() == 0);
    }

    Verdict verdict = judge(aggregates);
    assertThat(verdict.repeats()).isZero();
    assertThat(verdict.zombies()).isZero();
  }

  @Test
  void eventThatKillsItsProcessEndsDeadAndBlocksItsAggregateOnly() throws Exception {
    String deadly = OrderedNode.DEADLY + 1;
    Aggregates aggregates = Aggregates.create(outbox, List.of(deadly, "a"));
    aggregates.write(deadly, 3);
    int attempts = 4;
    try (Cluster cluster = cluster(settings().attempts(attempts))) {
      cluster.restartUntil(() -> tables.events(deadly).get(0).status() == DEAD);
      aggregates.write("a", 10);
      awaitThat(() -> history().succeeded("a").equals(versions(10)));

      assertThat(cluster.running()).hasSize(1);
      assertThat(history().callsOn(deadly)).isBetween(attempts, attempts + 1);
      assertThat(tables.events(deadly).stream().map(Tables.EventState::status))
          .containsExactly(DEAD, NEW, NEW);
      assertThat(tables.count("SELECT COUNT(*) FROM outbox_blocked")).isEqualTo(1);
      Verdict.on(history()).requireOrder();
    }
  }

  private static void writeRounds(Aggregates aggregates, List<String> keys, int rounds)
      throws SQLException {
    for (int round = 0; round < rounds; round++) {
      aggregates.write(keys, 1, () -> true);
    }
  }

  static List<Integer> versions(int count) {
    return IntStream.rangeClosed(1, count).boxed().toList();
  }
}
