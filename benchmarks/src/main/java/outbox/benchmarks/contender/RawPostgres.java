package outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The fastest table and statements we know for PostgreSQL that hold no transaction open. */
final class RawPostgres implements RawTable {

  private static final String CLAIM =
      """
      WITH due AS (
        SELECT id FROM raw_event
        WHERE status = 0 AND (locked_at IS NULL OR locked_at < now() - INTERVAL '5 minutes')
        ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED)
      UPDATE raw_event e SET locked_by = ?, locked_at = now()
      FROM due WHERE e.id = due.id
      RETURNING e.id, e.payload
      """;
  private static final String KEEP =
      """
      UPDATE raw_event SET status = 1, done_at = now(), locked_by = NULL, locked_at = NULL
      WHERE id = ANY (?) AND status = 0
      """;
  private static final String DELETE = "DELETE FROM raw_event WHERE id = ANY (?) AND status = 0";

  @Override
  public List<String> ddl(int fillFactor) {
    return List.of(
        """
        CREATE TABLE raw_event (
          id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          event_type VARCHAR(128) NOT NULL,
          payload    JSON NOT NULL,
          status     SMALLINT NOT NULL DEFAULT 0,
          created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
          done_at    TIMESTAMPTZ,
          locked_by  VARCHAR(128),
          locked_at  TIMESTAMPTZ
        ) WITH (fillfactor = %d)
        """
            .formatted(fillFactor),
        "CREATE INDEX raw_event_pending ON raw_event (id) WHERE status = 0");
  }

  @Override
  public String insert() {
    return "INSERT INTO raw_event (event_type, payload) VALUES ('Tick', CAST(? AS JSON))";
  }

  @Override
  public List<Claimed> claim(Connection connection, String node, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
      statement.setInt(1, limit);
      statement.setString(2, node);
      List<Claimed> claimed = new ArrayList<>(limit);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          claimed.add(new Claimed(rows.getLong(1), rows.getString(2)));
        }
      }
      return claimed;
    }
  }

  @Override
  public void complete(Connection connection, List<Claimed> events, Completion completion)
      throws SQLException {
    String sql = completion == Completion.KEEP ? KEEP : DELETE;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      Object[] ids = events.stream().map(Claimed::id).toArray();
      statement.setArray(1, connection.createArrayOf("bigint", ids));
      statement.executeUpdate();
    }
  }
}
