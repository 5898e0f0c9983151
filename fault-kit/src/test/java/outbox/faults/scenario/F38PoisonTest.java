package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.history.Entry.Event;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.world.World;
import outbox.model.BlockedKey;
import outbox.ordered.BlockedKeys;

/** Rows that nobody can read, and events that their listener always rejects. */
class F38PoisonTest extends CalmScenario {

  private static final List<String> UNREADABLE = keys("unreadable", 10);
  private static final List<String> MISENCODED = keys("misencoded", 10);
  private static final List<String> REJECTED = keys(Behaviour.REJECT, 10);
  private static final int EVENTS = 3;

  @Test
  void poisonIsDeadWithAReasonAndTheBatchGoesOn() throws Exception {
    World world = poison(Mode.MULTI, 0);

    judge(world)
        .nothingPending()
        .deadAre(event -> isCorrupt(event) || REJECTED.contains(event.key()))
        .noRepeats();
  }

  @Test
  @Tag(QUICK)
  void poisonBlocksItsKeyOnly() throws Exception {
    int keys = UNREADABLE.size() + MISENCODED.size() + REJECTED.size();
    World world = poison(Mode.ORDERED, keys * (EVENTS - 1));

    Checker checker = judge(world);
    checker
        .deadAre(event -> event.version() == 1 && !event.key().startsWith("a"))
        .noRepeats()
        .inOrder();
    List<BlockedKey> blocked =
        new BlockedKeys(world.outbox().connections(), world.outbox().store(), "default").list(100);
    assertThat(blocked).hasSize(keys).allMatch(BlockedKey::waitsForOperator);
  }

  private World poison(Mode mode, int blocked) throws Exception {
    protocol.about(
        "200 events/s for 100 keys and 3 for each of 30 others, 1 node, %s".formatted(mode),
        "others' first events have unreadable headers or payloads, or are always rejected");
    World world = world();
    for (List<String> keys : List.of(UNREADABLE, MISENCODED, REJECTED)) {
      world.accounts().open(keys, EVENTS);
    }
    corrupt(world, "unreadable", "[1]");
    corrupt(world, "misencoded", "{\"outbox-encoding\":\"base64\"}");
    world.cluster().start(world.writer(200, 100));
    world.cluster().start(relay(world, mode));
    world.awaitTime(System.nanoTime(), Duration.ofSeconds(2));
    world.settle(blocked);

    Stream.of(UNREADABLE, MISENCODED, REJECTED)
        .flatMap(List::stream)
        .forEach(
            key ->
                assertThat(world.tables().errors(key))
                    .as("reasons of %s", key)
                    .isNotEmpty()
                    .allMatch(error -> error != null && !error.isBlank()));
    return world;
  }

  /** The first event of each of these keys. */
  private static void corrupt(World world, String prefix, String headers) {
    world
        .tables()
        .execute(
            "UPDATE outbox_event SET headers = '%s' WHERE aggregate_id LIKE '%s%%'"
                    .formatted(headers, prefix)
                + " AND CAST(payload AS CHAR(20)) = '1'");
  }

  private static boolean isCorrupt(Event event) {
    return event.version() == 1
        && (UNREADABLE.contains(event.key()) || MISENCODED.contains(event.key()));
  }
}
