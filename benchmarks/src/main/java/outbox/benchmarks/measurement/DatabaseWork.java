package outbox.benchmarks.measurement;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * What PostgreSQL has done for one database so far.
 *
 * @param versions row versions made after the insert: updates and deletes
 * @param hot those of them that touched no index
 */
record DatabaseWork(double commits, double versions, double hot, double walBytes) {

  private static final String QUERY =
      """
      SELECT
        (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()),
        (SELECT COALESCE(sum(n_tup_upd + n_tup_del), 0) FROM pg_stat_user_tables),
        (SELECT COALESCE(sum(n_tup_hot_upd), 0) FROM pg_stat_user_tables),
        pg_current_wal_lsn() - '0/0'::pg_lsn
      """;

  /** Sessions report when they end, so close the pools first. */
  static DatabaseWork of(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_stat_force_next_flush()");
      try (ResultSet rows = statement.executeQuery(QUERY)) {
        rows.next();
        return new DatabaseWork(
            rows.getDouble(1), rows.getDouble(2), rows.getDouble(3), rows.getDouble(4));
      }
    }
  }

  DatabaseWork since(DatabaseWork before) {
    return new DatabaseWork(
        commits - before.commits,
        versions - before.versions,
        hot - before.hot,
        walBytes - before.walBytes);
  }
}
