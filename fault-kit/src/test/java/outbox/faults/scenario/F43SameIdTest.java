package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.faults.check.Checker;
import outbox.faults.history.Entry;
import outbox.faults.node.Accounts;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;
import outbox.jdbc.database.JdbcDatabase;

/** The same event is written by two processes at once, and again later. */
class F43SameIdTest extends CalmScenario {

  @Test
  void eventThatIsWrittenTwiceIsOneEvent() throws Exception {
    protocol.about(
        "1,000 events for 20 keys, 2 nodes that write and deliver, MULTI",
        "both write all events at the same time");
    World world = world();
    NodeSettings settings =
        relay(world, Mode.MULTI).keys("a", 20).rate(400).events(1000).sameEvents();
    world.accounts().add(settings.keys());
    List<NodeProcess> nodes = world.cluster().start(2, settings);
    nodes.forEach(NodeProcess::awaitWritten);
    long written = System.nanoTime();
    assertThat(world.accounts().writeIfAbsent(settings.keys(), 0)).isFalse();
    assertThatThrownBy(() -> writeAgain(world.outbox())).isInstanceOf(RuntimeException.class);
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    assertThat(world.history().all(Entry.Writes.class)).as("tries").hasSizeGreaterThan(2000);
    assertThat(checker.written()).isBetween(1000L, 1004L);
    protocol.converged(checker.lag(written));
  }

  /** Without asking whether it is there: this transaction must not be committed. */
  private static void writeAgain(JdbcDatabase database) throws Exception {
    try (var tx = database.begin()) {
      new OutboxWriter(database.transactions(), database.store())
          .write(EventEnvelope.builder(Accounts.EVENT_TYPE).eventId("same-1").build());
      tx.commit();
    }
  }
}
