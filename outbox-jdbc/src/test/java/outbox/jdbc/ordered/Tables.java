package outbox.jdbc.ordered;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.jdbc.JdbcTemplate;
import outbox.spi.ConnectionProvider;

/** What the tables say, seen by nobody's part of the engine. */
record Tables(ConnectionProvider connections) {

  /** A row of the events that ended or did not. */
  record EventState(String key, int version, int status, int attempts) {}

  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  <T> List<T> query(String sql, RowReader<T> reader, Object... parameters) {
    try (Connection connection = connections.getConnection()) {
      return JdbcTemplate.query(connection, sql, reader::read, parameters);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  int count(String sql, Object... parameters) {
    return query(sql, row -> row.getInt(1), parameters).get(0);
  }

  int pending() {
    return count("SELECT COUNT(*) FROM outbox_event WHERE status IN (0, 2)");
  }

  /** The ids of all events by aggregate and version. */
  Map<String, Map<Integer, String>> committed() {
    Map<String, Map<Integer, String>> committed = new HashMap<>();
    query(
        "SELECT aggregate_id, payload, event_id FROM outbox_event",
        row ->
            committed
                .computeIfAbsent(row.getString(1), key -> new HashMap<>())
                .put(Integer.parseInt(row.getString(2)), row.getString(3)));
    return committed;
  }

  /** In the order of their numbers. */
  List<EventState> events(String key) {
    return events().stream().filter(event -> event.key().equals(key)).toList();
  }

  List<EventState> dead() {
    return events().stream().filter(event -> event.status() == 3).toList();
  }

  private List<EventState> events() {
    return query(
        "SELECT aggregate_id, payload, status, attempts FROM outbox_event ORDER BY seq",
        row ->
            new EventState(
                row.getString(1),
                Integer.parseInt(row.getString(2)),
                row.getInt(3),
                row.getInt(4)));
  }

  List<String> sessions(String nodeId) {
    return query(
        "SELECT session_id FROM outbox_node WHERE node_id = ?", row -> row.getString(1), nodeId);
  }

  /** How many partitions a node has. */
  int partitions(String nodeId) {
    return count(
        "SELECT COUNT(*) FROM outbox_lease l JOIN outbox_node n ON n.session_id = l.session_id"
            + " WHERE n.node_id = ?",
        nodeId);
  }

  int free() {
    return count("SELECT COUNT(*) FROM outbox_lease WHERE session_id IS NULL");
  }

  /** How many sessions have partitions. */
  int owners() {
    return count("SELECT COUNT(DISTINCT session_id) FROM outbox_lease");
  }

  /** Everything that a status write changes. */
  List<String> endedEvents() {
    return query(
        "SELECT event_id, status, attempts, done_at FROM outbox_event ORDER BY seq",
        row -> row.getString(1) + row.getInt(2) + row.getInt(3) + row.getString(4));
  }
}
