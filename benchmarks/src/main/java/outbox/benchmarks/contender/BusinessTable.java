package outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The business data that every event is committed with. */
final class BusinessTable {

  private static final String INSERT =
      "INSERT INTO purchase (id, customer, total_cents) VALUES (?, ?, ?)";

  private BusinessTable() {}

  static void create(DataSource dataSource) throws SQLException {
    execute(
        dataSource,
        """
        CREATE TABLE purchase (
          id          BIGINT PRIMARY KEY,
          customer    VARCHAR(64) NOT NULL,
          total_cents BIGINT NOT NULL
        )
        """);
  }

  static PreparedStatement prepare(Connection connection) throws SQLException {
    return connection.prepareStatement(INSERT);
  }

  static void bind(PreparedStatement statement, long id) throws SQLException {
    statement.setLong(1, id);
    statement.setString(2, "customer " + id % 1_000);
    statement.setLong(3, id * 7);
  }

  static void insert(Connection connection, long id) throws SQLException {
    try (PreparedStatement statement = prepare(connection)) {
      bind(statement, id);
      statement.executeUpdate();
    }
  }

  static void execute(DataSource dataSource, String... statements) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
