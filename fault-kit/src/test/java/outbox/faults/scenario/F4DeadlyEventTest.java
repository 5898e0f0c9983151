package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Row;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** An event ends every process that tries it, among others that are being delivered beside it. */
class F4DeadlyEventTest extends Scenario {

  private static final int NEW = 0;
  private static final int DEAD = 3;
  private static final int ATTEMPTS = 3;
  private static final int NEIGHBOURS = 40;
  private static final String DEADLY = Behaviour.DIE.prefix() + 1;
  private static final String LATER = "later";

  @Test
  void deadlyEventEndsDeadAndTakesNoOtherWithIt() throws Exception {
    World world = world();
    Map<String, Set<String>> inHands = surviveDeadly(world, Mode.MULTI, 1);

    world.awaitDelivered();
    world.settle();
    judgeDead(world, inHands).nothingPending();
  }

  @Test
  void deadlyEventEndsDeadAndBlocksItsKeyOnly() throws Exception {
    World world = world();
    Map<String, Set<String>> inHands = surviveDeadly(world, Mode.ORDERED, 3);

    world.awaitThat(() -> world.tables().pending() == 2);
    assertThat(world.tables().rows(DEADLY)).extracting(Row::status).containsExactly(DEAD, NEW, NEW);
    assertThat(world.tables().count("SELECT COUNT(*) FROM outbox_blocked")).isEqualTo(1);
    judgeDead(world, inHands).inOrder();
  }

  /**
   * Nodes are started again and again until one of them lives; then it delivers what is new.
   * Returns what each of the others had in its hands when it died.
   */
  private Map<String, Set<String>> surviveDeadly(World world, Mode mode, int deadlyEvents)
      throws Exception {
    protocol.about(
        "3 events for each of %d keys, one node at a time, %s".formatted(NEIGHBOURS, mode),
        "an event ends every process that tries it, %d attempts, lease 5s".formatted(ATTEMPTS));
    writeAround(world, deadlyEvents);
    NodeSettings relay = world.relay(mode).attempts(ATTEMPTS).work(Duration.ofMillis(5));

    Map<String, Set<String>> inHands = restartUntilDead(world, relay);
    world.accounts().write(LATER, 10);
    world.awaitThat(() -> world.history().delivered(LATER).size() == 10);
    assertThat(world.cluster().running()).as("lives").hasSize(1);
    return inHands;
  }

  private static Map<String, Set<String>> restartUntilDead(World world, NodeSettings relay) {
    Map<String, Set<String>> inHands = new HashMap<>();
    while (world.tables().dead() == 0) {
      NodeProcess node = world.cluster().start(relay);
      world.awaitThat(() -> !node.isAlive() || world.tables().dead() > 0);
      if (!node.isAlive()) {
        world.cluster().died(node);
        inHands.put(node.name(), world.inHands(node));
      }
    }
    return inHands;
  }

  private static void writeAround(World world, int deadlyEvents) throws Exception {
    List<String> keys = IntStream.range(0, NEIGHBOURS).mapToObj(i -> "neighbour-" + i).toList();
    List<String> all = new ArrayList<>(keys);
    all.add(DEADLY);
    all.add(LATER);
    world.accounts().add(all);
    world.accounts().write(keys.subList(0, NEIGHBOURS / 2), 3, () -> true);
    world.accounts().write(DEADLY, deadlyEvents);
    world.accounts().write(keys.subList(NEIGHBOURS / 2, NEIGHBOURS), 3, () -> true);
  }

  /** The first try is not counted before it is made: that of an event nobody has had before. */
  private Checker judgeDead(World world, Map<String, Set<String>> inHands) throws Exception {
    assertThat(world.history().callsOn(DEADLY)).hasSizeBetween(ATTEMPTS, ATTEMPTS + 1);
    return judge(world)
        .deadAre(event -> event.key().equals(DEADLY) && event.version() == 1)
        .repeatsOnlyAmong(inHands);
  }
}
