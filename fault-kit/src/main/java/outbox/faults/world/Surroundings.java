package outbox.faults.world;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Switches;

/**
 * What can happen to nodes though no process fails: to their network, clocks, rights, listeners.
 */
public final class Surroundings {

  private static final Duration LONGEST = Duration.ofSeconds(4);
  private static final int LONGEST_LATENCY_MILLIS = 20;
  private static final int HOUR_SECONDS = 3600;

  /** What a destination that can't take anything does with all events. */
  private static final List<Behaviour> REFUSALS =
      List.of(Behaviour.REFUSE, Behaviour.DEFER, Behaviour.ASK_LATER);

  private final World world;
  private final NetworkProxy network;
  private final Operator operator;

  /** Relays are those that reach the database through the network, as users without rights. */
  public Surroundings(World world, NetworkProxy network) {
    this.world = world;
    this.network = network;
    operator = new Operator(world.database());
  }

  /** While they last, relays can write nothing. */
  public List<Chaos.Fault> outages() {
    return List.of(this::cut, this::silence, this::forget, this::readOnly);
  }

  /** They cost time at most. */
  public List<Chaos.Fault> nuisances() {
    return List.of(this::slowDown, this::moveClocks, this::refuse);
  }

  private void cut(Random random) {
    network.cut();
    rest(random);
  }

  private void silence(Random random) {
    network.silence();
    rest(random);
    network.heal();
  }

  private void forget(Random random) {
    network.silence();
    rest(random);
    network.forget();
  }

  private void readOnly(Random random) {
    operator.readOnly(true);
    try {
      rest(random);
    } finally {
      operator.readOnly(false);
    }
  }

  private void slowDown(Random random) {
    network.slowDown(Duration.ofMillis(1 + random.nextInt(LONGEST_LATENCY_MILLIS)));
    rest(random);
    network.slowDown(Duration.ZERO);
  }

  /** By up to an hour, forwards or backwards, and back. */
  private void moveClocks(Random random) {
    List<NodeProcess> moved = new ArrayList<>(world.cluster().running());
    moved.removeIf(node -> random.nextBoolean());
    for (NodeProcess node : moved) {
      Duration offset = Duration.ofSeconds(random.nextInt(2 * HOUR_SECONDS) - HOUR_SECONDS);
      world.switches().set(Switches.clockOf(node.name()), offset.toString());
    }
    rest(random);
    moved.forEach(
        node -> world.switches().set(Switches.clockOf(node.name()), Duration.ZERO.toString()));
  }

  private void refuse(Random random) {
    Behaviour refusal = REFUSALS.get(random.nextInt(REFUSALS.size()));
    world.switches().set(Switches.BEHAVIOUR, refusal.name());
    rest(random);
    world.switches().set(Switches.BEHAVIOUR, Behaviour.DELIVER.name());
  }

  private void rest(Random random) {
    world.awaitTime(System.nanoTime(), LONGEST.multipliedBy(random.nextInt(100)).dividedBy(100));
  }
}
