package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.JdbcTemplate;
import outbox.spi.LeaseTable;
import outbox.spi.NodeSession;
import outbox.spi.PartitionLease;

/**
 * Sessions, their fences and their partitions. Whoever locks several rows takes the fence first,
 * then the session's, then partitions: nobody waits in a circle.
 */
final class LeaseStatements implements LeaseTable {

  /** Stands for the lease of a session that is not the caller's. */
  private static final Duration OTHERS_LEASE = Duration.ofSeconds(10);

  private final OrderedTables tables;

  LeaseStatements(OrderedTables tables) {
    this.tables = tables;
  }

  private record Session(String id, String nodeId, int partitions, boolean isExpired) {}

  @Override
  public void join(Connection connection, NodeSession session) {
    String node =
        """
        INSERT INTO {node} (session_id, relay, node_id, partitions, expires_at)
        VALUES (?, ?, ?, ?, {later})
        """;
    String relay = tables.relay(session.relay());
    tables.inTransaction(
        "join relay " + session.relay(),
        connection,
        tx -> {
          limitStandstill(tx, session.lease());
          endExpired(tx, relay, sessions(tx, relay));
          waitForOtherJoins(tx, relay);
          List<Session> living = sessions(tx, relay);
          requireSamePartitions(session, living);
          if (living.isEmpty()) {
            divide(tx, relay, session.partitions());
          }
          tables.update(tx, "INSERT INTO {fence} (session_id) VALUES (?)", session.id());
          return tables.update(
              tx,
              node,
              session.id(),
              relay,
              session.nodeId(),
              session.partitions(),
              micros(session.lease()));
        });
  }

  @Override
  public boolean renew(Connection connection, NodeSession session) {
    String sql = "UPDATE {node} SET expires_at = {later} WHERE session_id = ?";
    return tables.run(
        "renew the session of node " + session.nodeId(),
        () -> {
          limitStandstill(connection, session.lease());
          return tables.update(connection, sql, micros(session.lease()), session.id()) > 0;
        });
  }

  @Override
  public RelayView view(Connection connection, String relay) {
    String sql =
        """
        SELECT partition_no, session_id, epoch, taken_over
        FROM {lease}
        WHERE relay = ?
        ORDER BY partition_no
        """;
    String key = tables.relay(relay);
    return tables.run(
        "view relay " + relay,
        () -> {
          List<Session> sessions = sessions(connection, key);
          if (endExpired(connection, key, sessions)) {
            sessions = sessions(connection, key);
          }
          return new RelayView(
              sessions.stream().map(Session::id).sorted().toList(),
              JdbcTemplate.query(connection, tables.sql(sql), LeaseStatements::lease, key));
        });
  }

  @Override
  public List<RelayNode> nodes(Connection connection, String relay) {
    String sql =
        """
        SELECT node_id, CASE WHEN expires_at <= {now} THEN 1 ELSE 0 END AS expired,
          (SELECT COUNT(*) FROM {lease} WHERE {lease}.session_id = {node}.session_id) AS owned
        FROM {node}
        WHERE relay = ?
        ORDER BY node_id, session_id
        """;
    return tables.run(
        "list the nodes of relay " + relay,
        () ->
            JdbcTemplate.query(
                connection,
                tables.sql(sql),
                row ->
                    new RelayNode(
                        row.getString("node_id"), row.getInt("owned"), row.getInt("expired") == 1),
                tables.relay(relay)));
  }

  @Override
  public @Nullable PartitionLease acquire(
      Connection connection, NodeSession session, int partition) {
    return acquireAll(connection, session, List.of(partition)).stream().findFirst().orElse(null);
  }

  /** In one transaction, because far from the database a transaction for each outlasts a lease. */
  @Override
  public List<PartitionLease> acquireAll(
      Connection connection, NodeSession session, List<Integer> partitions) {
    String sql =
        """
        UPDATE {lease}
        SET session_id = ?, epoch = epoch + 1, taken_over = 0
        WHERE relay = ? AND partition_no IN\
        """;
    String relay = tables.relay(session.relay());
    return tables.inTransaction(
        "acquire partitions of relay " + session.relay(),
        connection,
        tx -> {
          if (partitions.isEmpty() || !holds(tx, session)) {
            return List.of();
          }
          List<PartitionLease> free = lockFree(tx, relay, partitions);
          if (!free.isEmpty()) {
            List<Integer> found = free.stream().map(PartitionLease::partition).toList();
            tables.update(tx, sql + list(found), session.id(), relay);
          }
          return free.stream()
              .map(
                  lease ->
                      new PartitionLease(
                          lease.partition(), session.id(), lease.epoch() + 1, lease.takenOver()))
              .toList();
        });
  }

  /** Whoever is just taking one may have fallen silent: nobody waits for that. */
  private List<PartitionLease> lockFree(
      Connection connection, String relay, List<Integer> partitions) {
    String sql =
        """
        SELECT partition_no, session_id, epoch, taken_over
        FROM {lease}
        WHERE relay = ? AND session_id IS NULL AND partition_no IN {partitions}
        ORDER BY partition_no
        FOR UPDATE SKIP LOCKED
        """
            .replace("{partitions}", list(partitions));
    return JdbcTemplate.query(connection, tables.sql(sql), LeaseStatements::lease, relay);
  }

  private static String list(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(", ", " (", ")"));
  }

  @Override
  public boolean release(Connection connection, NodeSession session, int partition) {
    String sql =
        """
        UPDATE {lease}
        SET session_id = NULL, taken_over = 0
        WHERE relay = ? AND partition_no = ? AND session_id = ?
        """;
    String relay = tables.relay(session.relay());
    return tables.run(
        "release partition " + partition + " of relay " + session.relay(),
        () -> {
          limitStandstill(connection, session.lease());
          return tables.update(connection, sql, relay, partition, session.id()) > 0;
        });
  }

  @Override
  public void leave(Connection connection, NodeSession session) {
    tables.inTransaction(
        "leave relay " + session.relay(),
        connection,
        tx -> {
          limitStandstill(tx, session.lease());
          tables.update(tx, "DELETE FROM {fence} WHERE session_id = ?", session.id());
          tables.update(tx, "DELETE FROM {node} WHERE session_id = ?", session.id());
          return free(tx, tables.relay(session.relay()), session.id(), false);
        });
  }

  @Override
  public boolean holds(Connection connection, NodeSession session) {
    OrderedDialect dialect = tables.dialect();
    return tables.run(
        "look whether node " + session.nodeId() + " lives",
        () -> {
          if (!dialect.limitsByHold()) {
            new LockWait(dialect).limit(connection, session.lease());
          }
          String sql = tables.sql(dialect.hold(Standstill.patience(session.lease())));
          return !JdbcTemplate.query(connection, sql, row -> row.getString(1), session.id())
              .isEmpty();
        });
  }

  /** So that nobody waits for a node that was stopped in the middle. */
  private void limitStandstill(Connection connection, Duration lease) throws SQLException {
    new Standstill(tables.dialect()).limit(connection, lease);
  }

  private List<String> lockFence(Connection connection, String sessionId, String lock) {
    String sql = "SELECT session_id FROM {fence} WHERE session_id = ? " + lock;
    return JdbcTemplate.query(connection, tables.sql(sql), row -> row.getString(1), sessionId);
  }

  private List<Session> sessions(Connection connection, String relay) {
    String sql =
        """
        SELECT session_id, node_id, partitions,
          CASE WHEN expires_at <= {now} THEN 1 ELSE 0 END AS expired
        FROM {node}
        WHERE relay = ?
        """;
    return JdbcTemplate.query(
        connection,
        tables.sql(sql),
        row ->
            new Session(
                row.getString("session_id"),
                row.getString("node_id"),
                row.getInt("partitions"),
                row.getInt("expired") == 1),
        relay);
  }

  /** Says whether there were any. */
  private boolean endExpired(Connection connection, String relay, List<Session> sessions) {
    List<Session> expired = sessions.stream().filter(Session::isExpired).toList();
    expired.forEach(session -> end(connection, relay, session));
    return !expired.isEmpty();
  }

  /** Not while the session is writing, nor if it was renewed meanwhile. */
  private void end(Connection connection, String relay, Session session) {
    String sql = "DELETE FROM {node} WHERE session_id = ? AND expires_at <= {now}";
    tables.inTransaction(
        "end the expired session of node " + session.nodeId(),
        connection,
        tx -> {
          limitStandstill(tx, OTHERS_LEASE);
          if (lockFence(tx, session.id(), "FOR UPDATE SKIP LOCKED").isEmpty()
              || tables.update(tx, sql, session.id()) == 0) {
            return 0;
          }
          tables.update(tx, "DELETE FROM {fence} WHERE session_id = ?", session.id());
          return free(tx, relay, session.id(), true);
        });
  }

  private int free(Connection connection, String relay, String sessionId, boolean takenOver) {
    String sql =
        """
        UPDATE {lease}
        SET session_id = NULL, taken_over = ?
        WHERE relay = ? AND session_id = ?
        """;
    return tables.update(connection, sql, takenOver ? 1 : 0, relay, sessionId);
  }

  /** The first partition's row is what joins of a relay take turns by. */
  private void waitForOtherJoins(Connection connection, String relay) {
    String insert =
        "INSERT INTO {lease} (relay, partition_no, epoch, taken_over) VALUES (?, 0, 0, 0)";
    String lock = "SELECT epoch FROM {lease} WHERE relay = ? AND partition_no = 0 FOR UPDATE";
    tables.insertIfAbsent(connection, insert, "epoch", relay);
    JdbcTemplate.query(connection, tables.sql(lock), row -> row.getLong(1), relay);
  }

  private static void requireSamePartitions(NodeSession session, List<Session> living) {
    for (Session other : living) {
      if (other.partitions() != session.partitions()) {
        throw new IllegalStateException(
            "relay %s must have the same number of partitions on every node, got: %d on node %s, while node %s lives with %d; stop all nodes of the relay before the number changes"
                .formatted(
                    session.relay(),
                    session.partitions(),
                    session.nodeId(),
                    other.nodeId(),
                    other.partitions()));
      }
    }
  }

  /**
   * Nobody owns anything. Partitions of another number cover other events, and so all get the
   * highest epoch, and the mark of one that was taken over.
   */
  private void divide(Connection connection, String relay, int partitions) {
    String insert =
        "INSERT INTO {lease} (relay, partition_no, epoch, taken_over) VALUES (?, ?, ?, ?)";
    String all = "SELECT partition_no, session_id, epoch, taken_over FROM {lease} WHERE relay = ?";
    List<PartitionLease> leases =
        JdbcTemplate.query(connection, tables.sql(all), LeaseStatements::lease, relay);
    if (leases.size() == partitions) {
      return;
    }
    long epoch = leases.stream().mapToLong(PartitionLease::epoch).max().orElse(0);
    int takenOver = leases.stream().anyMatch(PartitionLease::takenOver) ? 1 : 0;
    tables.update(
        connection, "DELETE FROM {lease} WHERE relay = ? AND partition_no >= ?", relay, partitions);
    tables.update(
        connection,
        "UPDATE {lease} SET epoch = ?, taken_over = ? WHERE relay = ?",
        epoch,
        takenOver,
        relay);
    JdbcTemplate.batch(
        connection,
        tables.sql(insert),
        IntStream.range(leases.size(), partitions)
            .mapToObj(partition -> List.<Object>of(relay, partition, epoch, takenOver))
            .toList());
  }

  private static long micros(Duration lease) {
    return lease.toNanos() / 1000;
  }

  private static PartitionLease lease(ResultSet row) throws SQLException {
    return new PartitionLease(
        row.getInt("partition_no"),
        row.getString("session_id"),
        row.getLong("epoch"),
        row.getInt("taken_over") == 1);
  }
}
