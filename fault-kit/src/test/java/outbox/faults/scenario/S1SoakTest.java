package outbox.faults.scenario;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.Chaos;
import outbox.faults.world.DatabaseFaults;
import outbox.faults.world.World;
import outbox.testing.databases.DatabaseServer;

/**
 * Random load and random faults for as long as asked, all decided by one seed: {@code make soak
 * MINUTES=30 SEED=7}. A run that fails says which seed repeats it.
 */
class S1SoakTest extends Scenario {

  private static final int NODES = 4;

  @Test
  @Tag("soak")
  @Timeout(7200)
  void whateverHappensNothingIsLost() throws Exception {
    Duration time = Duration.ofMinutes(Long.getLong("outbox.soak.minutes", 1));
    long seed = Long.getLong("outbox.soak.seed", 1);
    try (DatabaseServer own = server.own()) {
      soak(own, time, seed);
    } catch (AssertionError | Exception e) {
      throw new AssertionError("repeat it with make soak SEED=" + seed, e);
    }
  }

  private void soak(DatabaseServer own, Duration time, long seed) throws Exception {
    Random random = new Random(seed);
    Mode mode = random.nextBoolean() ? Mode.ORDERED : Mode.MULTI;
    int keys = 1 + random.nextInt(500);
    int rate = 50 + random.nextInt(400);
    World world = world(own.database().fresh());
    NodeSettings relay =
        world
            .relay(mode)
            .failing(random.nextInt(10))
            .lease(Duration.ofSeconds(2))
            .work(Duration.ofMillis(random.nextInt(5)));
    world.cluster().start(NODES, relay);
    world.cluster().start(world.writer(rate, keys).payloadBytes(random.nextInt(5_000)));
    Chaos chaos = new Chaos(world, relay, NODES, new DatabaseFaults(own, world).all(), seed);
    long end = System.nanoTime() + time.toNanos();
    chaos.run(() -> System.nanoTime() - end > 0);
    world.settle();

    protocol.about(
        "%d events/s for %d keys, %s, seed %d".formatted(rate, keys, mode, seed), chaos.toString());
    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .repeatsOnlyOf(chaos.disturbances(), World.UNWRITTEN);
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(chaos.disturbances(), relay.workers());
    }
  }
}
