package outbox.faults.world;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.awaitility.core.ConditionTimeoutException;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;

/**
 * Faults in rounds: up to all but one of the relays are paused, killed or asked to end, in every
 * second round the database fails, too, and then everything is put right again. What happens is
 * decided by a seed alone; when it happens depends on the machine.
 */
public final class Chaos {

  private static final Duration GRACE = Duration.ofSeconds(20);
  private static final Duration LONGEST_REST = Duration.ofSeconds(3);

  private final World world;
  private final NodeSettings relay;
  private final int nodes;
  private final List<DatabaseFault> databaseFaults;
  private final Random random;
  private final Map<String, Integer> disturbances = new HashMap<>();
  private int faults;
  private int outages;

  /** Something that happens to the database, and is over when the call returns. */
  public interface DatabaseFault {
    void strike(Random random) throws Exception;
  }

  public Chaos(
      World world, NodeSettings relay, int nodes, List<DatabaseFault> databaseFaults, long seed) {
    this.world = world;
    this.relay = relay;
    this.nodes = nodes;
    this.databaseFaults = List.copyOf(databaseFaults);
    random = new Random(seed);
  }

  /** Each kind of process fault comes at least once. */
  public void run(BooleanSupplier isOver) throws Exception {
    while (faults < 3 || !isOver.getAsBoolean()) {
      round();
    }
  }

  private void round() throws Exception {
    List<NodeProcess> running = relays();
    Collections.shuffle(running, random);
    List<NodeProcess> paused = new ArrayList<>();
    for (NodeProcess node : running.subList(0, 1 + random.nextInt(nodes - 1))) {
      switch (faults++ % 3) {
        case 0 -> {
          world.cluster().pause(node);
          paused.add(node);
        }
        case 1 -> world.cluster().kill(node);
        default -> world.cluster().terminate(node, GRACE);
      }
    }
    if (!databaseFaults.isEmpty() && random.nextBoolean()) {
      strikeDatabase();
    }
    paused.forEach(this::resumeOnceReplaced);
    world.cluster().start(nodes - relays().size(), relay);
    rest();
  }

  /** Every node may have lost what it was about to write. */
  private void strikeDatabase() throws Exception {
    relays().forEach(node -> disturbances.merge(node.name(), 1, Integer::sum));
    outages++;
    databaseFaults.get(random.nextInt(databaseFaults.size())).strike(random);
    relays().forEach(node -> disturbances.merge(node.name(), 1, Integer::sum));
  }

  private void rest() {
    if (relay.mode() == Mode.ORDERED) {
      world.awaitShared(relays());
    }
    world.awaitTime(System.nanoTime(), LONGEST_REST.multipliedBy(random.nextInt(10)).dividedBy(10));
  }

  /** A node that holds a lock can't be replaced before it goes on; then it is still the owner. */
  private void resumeOnceReplaced(NodeProcess node) {
    boolean isLate = random.nextBoolean();
    try {
      await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(relay.lease().multipliedBy(2))
          .until(() -> isReplaced(node, isLate));
    } catch (ConditionTimeoutException e) {
      // Then it goes on as it is.
    } finally {
      node.resume();
    }
  }

  private boolean isReplaced(NodeProcess node, boolean isCompletely) {
    return relay.mode() == Mode.ORDERED
        && world.tables().sessions(node.name()).isEmpty()
        && !(isCompletely && world.tables().freePartitions() > 0);
  }

  private List<NodeProcess> relays() {
    return new ArrayList<>(
        world.cluster().running().stream()
            .filter(node -> node.settings().mode() != Mode.WRITER)
            .toList());
  }

  /** How often each node was disturbed, however that came about. */
  public Map<String, Integer> disturbances() {
    Map<String, Integer> all = new HashMap<>(disturbances);
    world.cluster().losses().forEach((node, count) -> all.merge(node, count, Integer::sum));
    return all;
  }

  @Override
  public String toString() {
    return world.cluster() + (outages > 0 ? ", %d database faults".formatted(outages) : "");
  }
}
