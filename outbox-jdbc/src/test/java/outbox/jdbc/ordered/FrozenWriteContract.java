package outbox.jdbc.ordered;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.jdbc.JdbcTemplate;

/** A node that stands still in the middle of a write: its locks stay as long as its connection. */
@Timeout(180)
abstract class FrozenWriteContract extends OrderedProcesses {

  @Test
  void nodeThatStandsStillInTheMiddleOfAWriteHoldsUpItsOwnPartitionsOnly() throws Exception {
    List<String> keys = Aggregates.keys(40);
    Aggregates aggregates = Aggregates.create(outbox, keys);
    try (Cluster cluster = cluster(settings());
        Connection write = outbox.connections().getConnection()) {
      NodeProcess frozen = cluster.start();
      NodeProcess other = cluster.start();
      cluster.awaitShared();
      aggregates.write(keys, 1, () -> true);
      awaitThat(() -> tables.pending() == 0);
      cluster.pause(frozen);
      lockFence(write, tables.sessions(frozen.name()).get(0));
      Set<String> othersKeys =
          history().begun().stream()
              .filter(call -> call.node().equals(other.name()))
              .map(History.Call::key)
              .collect(toSet());
      assertThat(othersKeys).isNotEmpty();

      long end = System.nanoTime() + LEASE.multipliedBy(4).toNanos();
      for (int version = 2; System.nanoTime() - end < 0; version++) {
        int next = version;
        long start = System.nanoTime();
        aggregates.write(List.copyOf(othersKeys), 1, () -> true);
        awaitThat(
            () -> othersKeys.stream().allMatch(key -> history().succeeded(key).contains(next)));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LEASE.multipliedBy(2));
      }
      write.rollback();
      frozen.resume();
    }
    judge(aggregates);
  }

  /** As a node does in the transaction that writes statuses. */
  private static void lockFence(Connection connection, String session) throws SQLException {
    connection.setAutoCommit(false);
    JdbcTemplate.query(
        connection,
        "SELECT session_id FROM outbox_fence WHERE session_id = ? FOR UPDATE",
        row -> row.getString(1),
        session);
  }
}
