package outbox.benchmarks.measurement;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What PostgreSQL counted of the statements of one database. */
final class Statements implements AutoCloseable {

  private static final String OWN =
      """
      FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
      WHERE d.datname = ? AND s.query NOT ILIKE '%pg_stat%'
        AND s.query NOT ILIKE 'BEGIN%' AND s.query NOT ILIKE 'COMMIT%'
        AND s.query NOT ILIKE 'ROLLBACK%' AND s.query ILIKE ?
      """;

  private final Connection connection;
  private final String database;

  Statements(Server server, Stage stage) throws SQLException {
    connection = server.database().dataSource().getConnection();
    database = stage.url().replaceFirst("\\?.*", "").replaceFirst(".*/", "");
    execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  }

  void reset() throws SQLException {
    execute("SELECT pg_stat_statements_reset()");
  }

  /** How many ran, transaction control aside. */
  double calls() throws SQLException {
    return query("SELECT COALESCE(sum(s.calls), 0) " + OWN, "%");
  }

  double slowestMillis() throws SQLException {
    return query("SELECT COALESCE(max(s.max_exec_time), 0) " + OWN, "%");
  }

  double meanMillis(String pattern) throws SQLException {
    return query("SELECT COALESCE(sum(s.total_exec_time) / sum(s.calls), 0) " + OWN, pattern);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private double query(String sql, String pattern) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, database);
      statement.setString(2, pattern);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getDouble(1);
      }
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
