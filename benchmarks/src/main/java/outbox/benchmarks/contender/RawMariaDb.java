package outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The fastest table and statements we know for MariaDB that hold no transaction open. */
final class RawMariaDb implements RawTable {

  private static final String CLAIM =
      """
      SELECT id, payload FROM raw_event
      WHERE status = 0 AND (locked_at IS NULL OR locked_at < NOW(6) - INTERVAL 5 MINUTE)
      ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED
      """;

  @Override
  public List<String> ddl(int fillFactor) {
    return List.of(
        """
        CREATE TABLE raw_event (
          id         BIGINT AUTO_INCREMENT PRIMARY KEY,
          event_type VARCHAR(128) NOT NULL,
          payload    LONGTEXT NOT NULL,
          status     TINYINT NOT NULL DEFAULT 0,
          created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
          done_at    DATETIME(6),
          locked_by  VARCHAR(128),
          locked_at  DATETIME(6),
          KEY raw_event_pending (status, id)
        ) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
        """);
  }

  @Override
  public String insert() {
    return INSERT;
  }

  @Override
  public List<Claimed> claim(Connection connection, String node, int limit) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    connection.setAutoCommit(false);
    try {
      List<Claimed> claimed = select(connection, limit);
      if (!claimed.isEmpty()) {
        execute(
            connection,
            "UPDATE raw_event SET locked_by = '" + node + "', locked_at = NOW(6)",
            claimed);
      }
      connection.commit();
      return claimed;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  @Override
  public void complete(Connection connection, List<Claimed> events, Completion completion)
      throws SQLException {
    execute(
        connection,
        completion == Completion.KEEP
            ? "UPDATE raw_event SET status = 1, done_at = NOW(6), locked_by = NULL, locked_at ="
                + " NULL"
            : "DELETE FROM raw_event",
        events);
  }

  private static List<Claimed> select(Connection connection, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
      statement.setInt(1, limit);
      List<Claimed> claimed = new ArrayList<>(limit);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          claimed.add(new Claimed(rows.getLong(1), rows.getString(2)));
        }
      }
      return claimed;
    }
  }

  /** The ids stand in the text: thousands of parameters are slower here. */
  private static void execute(Connection connection, String change, List<Claimed> events)
      throws SQLException {
    String ids =
        events.stream().map(event -> Long.toString(event.id())).collect(Collectors.joining(","));
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(change + " WHERE id IN (" + ids + ") AND status = 0");
    }
  }
}
