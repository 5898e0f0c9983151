package outbox.faults.world;

import static java.util.stream.Collectors.toSet;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.awaitility.core.ConditionTimeoutException;
import outbox.faults.check.Excuses;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;

/**
 * Faults in rounds: up to all but one of the relays are paused, killed or asked to end, perhaps the
 * database fails, too, or something happens to everybody; and then everything is put right again.
 * What happens is decided by a seed alone; when it happens depends on the machine.
 */
public final class Chaos {

  private static final Duration GRACE = Duration.ofSeconds(20);
  private static final Duration LONGEST_REST = Duration.ofSeconds(3);

  /** What was delivered so shortly before an outage may not have been written yet. */
  private static final Duration UNWRITTEN = Duration.ofSeconds(1);

  /** Pools ask a connection whether it is still there if it was not used for half as long. */
  private static final Duration UNUSED = Duration.ofSeconds(1);

  private final World world;
  private final NodeSettings relay;
  private final int nodes;
  private final Random random;
  private final List<Fault> outages = new ArrayList<>();
  private final List<Fault> nuisances = new ArrayList<>();
  private final Deque<ProcessFault> dealt = new ArrayDeque<>();
  private final Map<String, Integer> disturbances = new HashMap<>();
  private final Excuses excuses = new Excuses();
  private int processFaults;
  private int outageCount;
  private int nuisanceCount;
  private long calm = System.nanoTime();

  /** Something that happens to all nodes, and is over when the call returns. */
  public interface Fault {
    void strike(Random random) throws Exception;
  }

  private enum ProcessFault {
    PAUSE,
    KILL,
    CLOSE
  }

  /** Of so many nodes that are told the same. */
  public Chaos(World world, NodeSettings relay, int nodes, long seed) {
    this.world = world;
    this.relay = relay;
    this.nodes = nodes;
    random = new Random(seed);
  }

  /** Faults during which nobody can write what was delivered, or commit anything new. */
  public Chaos outages(List<Fault> faults) {
    outages.addAll(faults);
    return this;
  }

  /** Faults that are no reason for anything to come again. */
  public Chaos nuisances(List<Fault> faults) {
    nuisances.addAll(faults);
    return this;
  }

  /** Each kind of process fault comes at least once. */
  public void run(BooleanSupplier isOver) throws Exception {
    while (processFaults < ProcessFault.values().length || !isOver.getAsBoolean()) {
      round();
      world.cluster().start(nodes - relays().size(), relay);
      calm = System.nanoTime();
      rest();
    }
  }

  private void round() throws Exception {
    if (!nuisances.isEmpty() && random.nextInt(3) == 0) {
      nuisanceCount++;
      oneOf(nuisances).strike(random);
    } else if (!outages.isEmpty() && random.nextInt(3) == 0) {
      breakDown();
    } else {
      failProcesses();
    }
  }

  private Fault oneOf(List<Fault> faults) {
    return faults.get(random.nextInt(faults.size()));
  }

  private void failProcesses() throws Exception {
    List<NodeProcess> running = relays();
    Collections.shuffle(running, random);
    List<NodeProcess> paused = new ArrayList<>();
    for (NodeProcess node : running.subList(0, 1 + random.nextInt(nodes - 1))) {
      processFaults++;
      switch (deal()) {
        case PAUSE -> {
          world.cluster().pause(node);
          lost(node);
          excuses.stoodStill(node.name(), relay.workers());
          paused.add(node);
        }
        case KILL -> {
          world.cluster().kill(node);
          lost(node);
        }
        case CLOSE -> close(node);
      }
    }
    // A business transaction that stands still may hold up a fault that needs the whole table.
    if (relay.rate() == 0 && !outages.isEmpty() && random.nextBoolean()) {
      breakDown();
    }
    paused.forEach(this::resumeOnceReplaced);
  }

  /** All kinds, in a new order each time. */
  private ProcessFault deal() {
    if (dealt.isEmpty()) {
      List<ProcessFault> kinds = new ArrayList<>(List.of(ProcessFault.values()));
      Collections.shuffle(kinds, random);
      dealt.addAll(kinds);
    }
    return dealt.remove();
  }

  private void close(NodeProcess node) {
    if (!world.cluster().terminate(node, GRACE)) {
      lost(node);
    }
  }

  /** Only what the node has just now in its hands may come again because of this. */
  private void lost(NodeProcess node) {
    excuses.inHands(node.name(), world.inHands(node));
  }

  /**
   * Every node may lose what it is about to write: no more than is pending, and what is committed
   * until the fault has its effect.
   */
  private void breakDown() throws Exception {
    Set<String> names = relays().stream().map(NodeProcess::name).collect(toSet());
    int most = world.tables().pending() + rate() * (int) UNWRITTEN.toSeconds();
    long begin = System.nanoTime();
    outageCount++;
    oneOf(outages).strike(random);
    long end = System.nanoTime();
    world.awaitTime(end, UNUSED);
    excuses.outage(names, begin - UNWRITTEN.toNanos(), end + relay.lease().toNanos(), most);
    names.forEach(name -> disturbances.merge(name, 1, Integer::sum));
  }

  private int rate() {
    return world.cluster().running().stream().mapToInt(node -> node.settings().rate()).sum();
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

  /** When the last fault was over and all nodes were there again. */
  public long calm() {
    return calm;
  }

  /** What may come again because of all this. */
  public Excuses excuses() {
    return excuses;
  }

  /** How often each node stood still, or was cut off from the database. */
  public Map<String, Integer> standstills() {
    Map<String, Integer> all = new HashMap<>(disturbances);
    world.cluster().pauses().forEach((node, count) -> all.merge(node, count, Integer::sum));
    return all;
  }

  @Override
  public String toString() {
    return world.cluster()
        + (outageCount > 0 ? ", %d outages".formatted(outageCount) : "")
        + (nuisanceCount > 0 ? ", %d nuisances".formatted(nuisanceCount) : "");
  }
}
