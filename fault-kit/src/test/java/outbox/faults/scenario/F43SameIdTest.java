package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
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
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.database.JdbcDatabase;

/** The same event is written by two processes at once, and again later. */
class F43SameIdTest extends CalmScenario {

  private static final String ID = "same-1";

  /** What no event has. */
  private static final String OTHER_PAYLOAD = "1000000";

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
    world.awaitDelivered();
    List<String> row = row(world);
    assertThatThrownBy(() -> writeAgain(world.outbox()))
        .isInstanceOf(OutboxStoreException.class)
        .hasMessageContaining("insert event " + ID)
        .hasMessageContaining("an event with this id is already there");
    assertThat(row(world)).as("the row that is there").isNotEmpty().isEqualTo(row);
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    assertThat(world.history().all(Entry.Writes.class)).as("tries").hasSizeGreaterThan(2000);
    assertThat(checker.written()).isBetween(1000L, 1004L);
    assertThat(world.history().deliveries())
        .filteredOn(end -> end.call().event().id().equals(ID))
        .as("deliveries of %s", ID)
        .hasSize(1);
    protocol.converged(checker.lag(written));
  }

  /** Without asking whether it is there: this transaction must not be committed. */
  private static void writeAgain(JdbcDatabase database) throws Exception {
    EventEnvelope event =
        EventEnvelope.builder(Accounts.EVENT_TYPE).eventId(ID).payloadJson(OTHER_PAYLOAD).build();
    try (var tx = database.begin()) {
      new OutboxWriter(database.transactions(), database.store()).write(event);
      tx.commit();
    }
  }

  /** All that the table has of the event. */
  private static List<String> row(World world) {
    return world
        .tables()
        .query("SELECT * FROM outbox_event WHERE event_id = ?", F43SameIdTest::columns, ID)
        .get(0);
  }

  private static List<String> columns(ResultSet row) throws SQLException {
    List<String> columns = new ArrayList<>();
    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
      columns.add(row.getString(i));
    }
    return columns;
  }
}
