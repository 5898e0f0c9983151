package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.history.Entry;
import outbox.faults.history.Entry.Event;
import outbox.faults.history.History;
import outbox.faults.node.Accounts;
import outbox.faults.node.Mode;
import outbox.faults.world.Server;
import outbox.faults.world.World;

/** More keys than a node could remember. */
class F41ManyKeysTest extends CalmScenario {

  private static final int CHUNK = 10_000;
  private static final int MILLION = 1_000_000;

  /** Every so manieth of a million keys has a second event, behind the first ones of all. */
  private static final int SECOND = 100;

  private static final Duration BOUND = Duration.ofMinutes(3);

  @Test
  void manyKeysFitIntoASmallHeap() throws Exception {
    int count = 30_000;
    about(count, 32);
    World world = world();
    world.cluster().start(relay(world, Mode.ORDERED).heap(32));
    List<String> keys = keys("a", count);
    for (int i = 0; i < count; i += CHUNK) {
      world.accounts().open(keys.subList(i, i + CHUNK), 1);
    }
    long written = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats().inOrder();
    protocol.converged(checker.deliveredWithin(Duration.ofMinutes(1), written).lag(written));
  }

  @Test
  @Tag(ALONE)
  void aMillionKeysFitIntoASmallHeap() throws Exception {
    about(MILLION, 48);
    World world = world();
    load(world, 1, MILLION);
    load(world, SECOND, MILLION / SECOND);
    int events = MILLION + MILLION / SECOND;
    assertThat(world.tables().pending()).isEqualTo(events);

    long start = System.nanoTime();
    world.cluster().start(relay(world, Mode.ORDERED).heap(48));
    awaitNonePending(world);
    world.settle();

    assertThat(world.tables().count("SELECT COUNT(*) FROM outbox_event WHERE status = 1"))
        .as("delivered events")
        .isEqualTo(events);
    Duration taken = Duration.ofNanos(deliveredOnceAndInOrder(world.history(), events) - start);
    assertThat(taken).as("time to converge").isLessThan(BOUND);
    protocol.judged(events, 0);
    protocol.converged(taken);
  }

  private void about(int keys, int heap) {
    protocol.about("%,d keys, 1 node, ORDERED".formatted(keys), "heap of %d MB".formatted(heap));
  }

  /** As writers would have left it, without their round trips: the next event of each such key. */
  private void load(World world, int every, int count) {
    boolean isPostgres = server == Server.POSTGRES;
    String numbers =
        isPostgres
            ? "generate_series(1, %d) AS numbers (n)"
            : "(SELECT seq AS n FROM seq_1_to_%d) s";
    String now = isPostgres ? "clock_timestamp()" : "UTC_TIMESTAMP(6)";
    String payload = isPostgres ? "CAST('%d' AS JSON)" : "'%d'";
    int version = every == 1 ? 1 : 2;
    world
        .tables()
        .execute(
            """
            INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, payload,
              status, attempts, available_at, created_at)
            SELECT CONCAT('event-%1$d-', %2$d + n), '%3$s', 'Account', CONCAT('a', n * %4$d),
              %5$s, 0, 0, %6$s, %6$s
            FROM %7$s ORDER BY n
            """
                .formatted(
                    version,
                    MILLION,
                    Accounts.EVENT_TYPE,
                    every,
                    payload.formatted(version),
                    now,
                    numbers.formatted(count)));
  }

  /** To count what is pending would take from the machine what the node needs. */
  private static void awaitNonePending(World world) {
    await()
        .pollInterval(Duration.ofSeconds(1))
        .atMost(BOUND)
        .until(
            () ->
                world
                    .tables()
                    .query(
                        "SELECT event_id FROM outbox_event WHERE status IN (0, 2) LIMIT 1",
                        row -> row.getString(1))
                    .isEmpty());
  }

  /**
   * Returns when the last one was delivered. What a checker remembers of each would be too much.
   */
  private static long deliveredOnceAndInOrder(History history, int events) {
    BitSet first = new BitSet(MILLION + 1);
    BitSet second = new BitSet(MILLION + 1);
    for (Entry entry : history.entries()) {
      if (entry instanceof Entry.Begins begins && begins.call().event().version() == 2) {
        assertThat(first.get(number(begins.call().event()))).as("%s in order", begins).isTrue();
      } else if (entry instanceof Entry.Ends ends) {
        Event event = ends.call().event();
        BitSet delivered = event.version() == 1 ? first : second;
        assertThat(ends.succeeded() && !delivered.get(number(event))).as("%s once", ends).isTrue();
        delivered.set(number(event));
      }
    }
    assertThat(first.cardinality()).as("first events").isEqualTo(MILLION);
    assertThat(second.stream().allMatch(number -> number % SECOND == 0)).as("written").isTrue();
    assertThat(first.cardinality() + second.cardinality()).as("events").isEqualTo(events);
    assertThat(history.calls()).as("calls").hasSize(events);
    return history.entries().get(history.entries().size() - 1).nanos();
  }

  private static int number(Event event) {
    return Integer.parseInt(event.key().substring(1));
  }
}
