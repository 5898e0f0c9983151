package outbox.testing.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a test may expect of any database. */
abstract class DatabaseContract {
  abstract Database database();

  /** How the answer to {@code SELECT VERSION()} starts, or H2's equivalent. */
  abstract String version();

  @Test
  void answersItsVersion() throws SQLException {
    String answer = query(database().dataSource(), versionQuery());

    assertThat(answer).contains(version());
  }

  @Test
  void isTheSameForEveryoneWhoAsks() {
    assertThat(database()).isSameAs(database());
    assertThat(database().url()).isEqualTo(database().url());
    assertThat(database().pooled()).isSameAs(database().pooled());
  }

  @Test
  void plainConnectionsArePhysical() throws SQLException {
    try (Connection one = database().dataSource().getConnection();
        Connection other = database().dataSource().getConnection()) {
      assertThat(one).isNotSameAs(other);
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectionsStartInTheirAutoCommitMode(Connections connections) throws SQLException {
    try (Database fresh = database().fresh();
        Connection connection = fresh.dataSource(connections).getConnection()) {
      assertThat(connection.getAutoCommit()).isEqualTo(connections.autoCommit());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUncommittedInsertIsLostExactlyWhenAutoCommitIsOff(Connections connections)
      throws SQLException {
    try (Database fresh = database().fresh()) {
      execute(fresh.dataSource(), "CREATE TABLE orders (id INT PRIMARY KEY)");

      try (Connection connection = fresh.dataSource(connections).getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("INSERT INTO orders VALUES (1)");
        if (!connections.autoCommit()) {
          connection.rollback();
        }
      }

      assertThat(query(fresh.dataSource(), "SELECT COUNT(*) FROM orders"))
          .isEqualTo(connections.autoCommit() ? "1" : "0");
    }
  }

  @Test
  void freshDatabasesDoNotSeeEachOther() throws SQLException {
    try (Database one = database().fresh();
        Database other = database().fresh()) {
      execute(one.dataSource(), "CREATE TABLE orders (id INT PRIMARY KEY)");
      execute(other.dataSource(), "CREATE TABLE orders (id INT PRIMARY KEY)");

      execute(one.pooled(), "INSERT INTO orders VALUES (1)");

      assertThat(query(one.pooled(), "SELECT COUNT(*) FROM orders")).isEqualTo("1");
      assertThat(query(other.pooled(), "SELECT COUNT(*) FROM orders")).isEqualTo("0");
      assertThatThrownBy(() -> query(database().dataSource(), "SELECT COUNT(*) FROM orders"))
          .isInstanceOf(SQLException.class);
    }
  }

  @Test
  void closingAFreshDatabaseDropsItEvenWhileConnected() throws SQLException {
    Database fresh = database().fresh();
    execute(fresh.pooled(), "CREATE TABLE orders (id INT PRIMARY KEY)");
    Connection straggler = fresh.dataSource().getConnection();

    fresh.close();

    assertThatThrownBy(() -> query(fresh.dataSource(), "SELECT COUNT(*) FROM orders"))
        .isInstanceOf(SQLException.class);
    straggler.close();
  }

  String versionQuery() {
    return "SELECT VERSION()";
  }

  static String query(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }

  static void execute(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
