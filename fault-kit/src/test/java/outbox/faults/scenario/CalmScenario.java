package outbox.faults.scenario;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import outbox.OutboxWriter;
import outbox.faults.node.Accounts;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.World;
import outbox.jdbc.database.JdbcDatabase;

/** No process fails here, so that nothing may come twice but what is said to. */
abstract class CalmScenario extends Scenario {

  /** A node that delivers, with a lease that it keeps on the busiest machine. */
  static NodeSettings relay(World world, Mode mode) {
    return world.relay(mode).lease(Duration.ofSeconds(20));
  }

  /** So many keys that a listener always treats in this way. */
  static List<String> keys(Behaviour behaviour, int count) {
    return keys(behaviour.prefix(), count);
  }

  static List<String> keys(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  /** Waits until nodes have got going, so that next to nothing is left from before. */
  static void awaitCaughtUp(World world, int blocked) {
    world.awaitThat(() -> world.tables().pending() - blocked < 20);
  }

  /** The harness's own, with payloads of this length. */
  static Accounts accounts(World world, int payloadBytes) {
    JdbcDatabase database = world.outbox();
    OutboxWriter writer = new OutboxWriter(database.transactions(), database.store());
    return new Accounts(database, writer, world.journal(), payloadBytes);
  }
}
