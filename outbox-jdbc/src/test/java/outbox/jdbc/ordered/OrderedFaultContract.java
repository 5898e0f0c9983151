package outbox.jdbc.ordered;

import static org.awaitility.Awaitility.await;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nodes are killed, paused and closed under load, and what they wrote down of every call shows that
 * nothing was lost and nothing out of order.
 */
abstract class OrderedFaultContract extends OrderedProcesses {

  private static final Logger LOG = System.getLogger(OrderedFaultContract.class.getName());
  private static final int NODES = 4;
  private static final int HALF_OF_ALL_WORKERS = NODES * OrderedNode.WORKERS / 2;
  private static final Duration LONGEST_REST = Duration.ofMinutes(10);

  @Test
  @Timeout(300)
  void keepsOrderAndLosesNothingWhileNodesFail() throws Exception {
    surviveFaults(300, 6_000, Duration.ofSeconds(15));
  }

  @Test
  @Tag("faults")
  @Timeout(1800)
  void keepsOrderAndLosesNothingWhileNodesFailForLong() throws Exception {
    surviveFaults(1_000, 200_000, Duration.ofMinutes(2));
  }

  private void surviveFaults(int keyCount, int events, Duration writing) throws Exception {
    List<String> keys = Aggregates.keys(keyCount);
    Aggregates aggregates = Aggregates.create(outbox, keys);
    long start = System.nanoTime();
    Duration work = writing.multipliedBy(HALF_OF_ALL_WORKERS).dividedBy(events);
    try (Cluster cluster = cluster(settings().failing(5).working(work))) {
      cluster.start(NODES);
      try (Writers writers = new Writers(aggregates, keys, events, writing)) {
        new Chaos(cluster, tables, LEASE, 42).run(writers::isDone);
        writers.await();
      }
      await().atMost(LONGEST_REST).until(() -> tables.pending() == 0);
      cluster.running().forEach(NodeProcess::shutDown);

      judge(aggregates, cluster, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private void judge(Aggregates aggregates, Cluster cluster, Duration taken) throws SQLException {
    Verdict verdict =
        judge(aggregates)
            .requireZombiesOnlyOf(cluster.pauses())
            .requireRepeatsOnlyOf(cluster.losses(), UNWRITTEN);
    LOG.log(
        Level.INFO,
        "{0} in {1}: {2} kills, {3} pauses, {4} closes; {5}",
        database.name(),
        taken,
        cluster.killCount(),
        cluster.pauseCount(),
        cluster.closeCount(),
        verdict.describe());
  }
}
