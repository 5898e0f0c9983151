package outbox.jdbc.ordered;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.awaitility.core.ConditionTimeoutException;

/** Kills, pauses and closes nodes, up to three of four at once, and replaces them. */
final class Chaos {

  private static final int NODES = 4;

  private final Cluster cluster;
  private final Tables tables;
  private final Duration lease;
  private final Random random;
  private int faults;

  Chaos(Cluster cluster, Tables tables, Duration lease, long seed) {
    this.cluster = cluster;
    this.tables = tables;
    this.lease = lease;
    random = new Random(seed);
  }

  /** Goes on in rounds; each kind of fault comes at least once. */
  void run(BooleanSupplier isOver) {
    while (faults < 3 || !isOver.getAsBoolean()) {
      round();
    }
  }

  private void round() {
    List<NodeProcess> nodes = new ArrayList<>(cluster.running());
    Collections.shuffle(nodes, random);
    List<NodeProcess> paused = new ArrayList<>();
    for (NodeProcess node : nodes.subList(0, 1 + random.nextInt(NODES - 1))) {
      int kind = faults++ % 3;
      if (kind == 0) {
        cluster.pause(node);
        paused.add(node);
      } else if (kind == 1) {
        cluster.kill(node);
      } else {
        cluster.shutDown(node);
      }
    }
    paused.forEach(this::resumeOnceReplaced);
    cluster.start(NODES - cluster.running().size());
    cluster.awaitShared();
  }

  /** A node that holds a lock can't be replaced before it goes on. */
  private void resumeOnceReplaced(NodeProcess node) {
    boolean isLate = random.nextBoolean();
    try {
      await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(lease.multipliedBy(2))
          .until(() -> isReplaced(node, isLate));
    } catch (ConditionTimeoutException e) {
      // Then it goes on as the owner that it still is.
    } finally {
      node.resume();
    }
  }

  private boolean isReplaced(NodeProcess node, boolean completely) {
    return tables.sessions(node.name()).isEmpty() && !(completely && tables.free() > 0);
  }
}
