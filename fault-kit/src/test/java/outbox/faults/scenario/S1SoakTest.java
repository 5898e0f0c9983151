package outbox.faults.scenario;

import java.time.Duration;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.Chaos;
import outbox.faults.world.DatabaseFaults;
import outbox.faults.world.NetworkProxy;
import outbox.faults.world.Operator;
import outbox.faults.world.Surroundings;
import outbox.faults.world.World;
import outbox.testing.databases.DatabaseServer;

/**
 * Random nodes, random load and random faults for as long as asked, all decided by one seed: {@code
 * make soak MINUTES=30 SEED=7}. A run says which command repeats it.
 */
class S1SoakTest extends Scenario {

  /** Longer than a busy machine keeps a process waiting: nobody may lose one by himself. */
  private static final Duration LEASE = Duration.ofSeconds(5);

  /** Lease, five seconds to notice, and time for what has gathered, on a busy machine too. */
  private static final Duration BOUND = Duration.ofSeconds(60);

  /**
   * What a seed decides before anything fails.
   *
   * @param isHot the nodes that deliver are those that write, too
   * @param faults the seed of what fails
   */
  private record Plan(
      Mode mode, boolean isHot, int nodes, int keys, int rate, int payloadBytes, long faults) {

    static Plan of(Random random) {
      return new Plan(
          random.nextBoolean() ? Mode.ORDERED : Mode.MULTI,
          random.nextBoolean(),
          2 + random.nextInt(3),
          1 + random.nextInt(500),
          50 + random.nextInt(400),
          random.nextInt(5_000),
          random.nextLong());
    }

    @Override
    public String toString() {
      return "%d events/s for %d keys by %s, %d nodes, %s"
          .formatted(rate, keys, isHot ? "those that deliver" : "another", nodes, mode);
    }
  }

  @Test
  @Tag("soak")
  @Timeout(7200)
  void whateverHappensNothingIsLost() throws Exception {
    long minutes = Long.getLong("outbox.soak.minutes", 1);
    long seed = Long.getLong("outbox.soak.seed", 1);
    String command = "make soak MINUTES=%d SEED=%d".formatted(minutes, seed);
    // The first numbers of a Random are nearly the same for all small seeds.
    Random random = new Random(new SplittableRandom(seed).nextLong());
    Plan plan = Plan.of(random);
    System.out.printf("%s, on %s: %s%n", command, server, plan);
    try (DatabaseServer own = server.own()) {
      World world = world(own.database());
      String url = new Operator(world.database()).ordinaryUser();
      try (NetworkProxy network = new NetworkProxy(url)) {
        NodeSettings relay =
            world
                .relay(plan.mode())
                .url(network.url())
                .seed(seed)
                .failing(random.nextInt(10))
                .lease(LEASE)
                .work(Duration.ofMillis(random.nextInt(5)));
        Surroundings surroundings = new Surroundings(world, network);
        Chaos chaos =
            start(world, plan, relay, url)
                .outages(new DatabaseFaults(own, world).all())
                .outages(surroundings.outages())
                .nuisances(surroundings.nuisances());
        soak(world, plan, relay, chaos, Duration.ofMinutes(minutes));
      }
    } catch (AssertionError | Exception e) {
      throw new AssertionError("repeat it with " + command, e);
    }
  }

  /** All nodes, and who writes: another one has its own way to the database. */
  private static Chaos start(World world, Plan plan, NodeSettings relay, String url)
      throws Exception {
    NodeSettings writing =
        relay.keys("a", plan.keys()).payloadBytes(plan.payloadBytes()).rate(plan.rate());
    world.accounts().add(writing.keys());
    NodeSettings node = plan.isHot() ? writing.rate(plan.rate() / plan.nodes()) : relay;
    if (!plan.isHot()) {
      world.cluster().start(writing.mode(Mode.WRITER).url(url));
    }
    world.cluster().start(plan.nodes(), node);
    return new Chaos(world, node, plan.nodes(), plan.faults());
  }

  private void soak(World world, Plan plan, NodeSettings relay, Chaos chaos, Duration time)
      throws Exception {
    long end = System.nanoTime() + time.toNanos();
    chaos.run(() -> System.nanoTime() - end > 0);
    int last = world.tables().count("SELECT MAX(seq) FROM outbox_event");
    world.awaitThat(
        () ->
            world
                    .tables()
                    .count(
                        "SELECT COUNT(*) FROM outbox_event WHERE status IN (0, 2) AND seq <= ?",
                        last)
                == 0);
    if (plan.isHot()) {
      world.cluster().running().forEach(world.cluster()::shutDown);
      world.cluster().start(relay);
    }
    world.settle();

    protocol.about(plan.toString(), chaos.toString());
    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .deliveredWithin(BOUND, chaos.calm())
            .repeatsOnlyFor(chaos.excuses());
    if (plan.mode() == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(chaos.standstills(), relay.workers());
    }
    protocol.converged(checker.lag(chaos.calm()));
  }
}
