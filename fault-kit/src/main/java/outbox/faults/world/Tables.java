package outbox.faults.world;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import outbox.faults.check.Row;
import outbox.faults.history.Entry.Event;
import outbox.faults.history.Payload;
import outbox.jdbc.JdbcTemplate;
import outbox.spi.ConnectionProvider;

/** What the tables say, seen by nobody's part of the engine. */
public record Tables(ConnectionProvider connections) {

  /** Reads one row of a result. */
  public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  public <T> List<T> query(String sql, RowReader<T> reader, Object... parameters) {
    try (Connection connection = connections.getConnection()) {
      return JdbcTemplate.query(connection, sql, reader::read, parameters);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public int count(String sql, Object... parameters) {
    return query(sql, row -> row.getInt(1), parameters).get(0);
  }

  public void execute(String sql) {
    try (Connection connection = connections.getConnection()) {
      JdbcTemplate.update(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public int pending() {
    return count("SELECT COUNT(*) FROM outbox_event WHERE status IN (0, 2)");
  }

  public List<String> pendingIds() {
    return query(
        "SELECT event_id FROM outbox_event WHERE status IN (0, 2)", row -> row.getString(1));
  }

  public int dead() {
    return count("SELECT COUNT(*) FROM outbox_event WHERE status = 3");
  }

  /** All events, in the order of their numbers. */
  public List<Row> rows() {
    return query(
        "SELECT event_id, aggregate_id, CAST(payload AS CHAR(20)), CHAR_LENGTH(CONCAT(payload)),"
            + " MD5(CONCAT(payload)), status, attempts FROM outbox_event ORDER BY seq",
        row ->
            new Row(
                new Event(
                    row.getString(1),
                    row.getString(2),
                    Payload.version(row.getString(3)),
                    Payload.print(row.getInt(4), row.getString(5))),
                row.getInt(6),
                row.getInt(7)));
  }

  public List<Row> rows(String key) {
    return rows().stream().filter(row -> row.event().key().equals(key)).toList();
  }

  /** What is told of the dead events of a key. */
  public List<String> errors(String key) {
    return query(
        "SELECT last_error FROM outbox_event WHERE status = 3 AND aggregate_id = ?",
        row -> row.getString(1),
        key);
  }

  /** Ids of the events that a node has claimed and not ended. */
  public List<String> claimedBy(String nodeId) {
    return query(
        "SELECT event_id FROM outbox_event WHERE status IN (0, 2) AND locked_by LIKE ?",
        row -> row.getString(1),
        "%" + nodeId + "%");
  }

  public List<String> sessions(String nodeId) {
    return query(
        "SELECT session_id FROM outbox_node WHERE node_id = ?", row -> row.getString(1), nodeId);
  }

  /** How many partitions a node has. */
  public int partitions(String nodeId) {
    return count(
        "SELECT COUNT(*) FROM outbox_lease l JOIN outbox_node n ON n.session_id = l.session_id"
            + " WHERE n.node_id = ?",
        nodeId);
  }

  public int freePartitions() {
    return count("SELECT COUNT(*) FROM outbox_lease WHERE session_id IS NULL");
  }

  /** How many sessions have partitions. */
  public int owners() {
    return count("SELECT COUNT(DISTINCT session_id) FROM outbox_lease");
  }

  /** Everything that a status write changes. */
  public List<String> statuses() {
    return query(
        "SELECT event_id, status, attempts, done_at FROM outbox_event ORDER BY seq",
        row -> row.getString(1) + row.getInt(2) + row.getInt(3) + row.getString(4));
  }

  /** How many events have each status. */
  public Map<Integer, Long> byStatus() {
    return rows().stream().collect(groupingBy(Row::status, counting()));
  }
}
