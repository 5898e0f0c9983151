package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.jdbc.JdbcTemplate.Parameter;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class JdbcTemplateTest {

  private final Database database = Databases.h2().fresh();
  private Connection connection;

  @BeforeEach
  void createTable() throws SQLException {
    connection = database.dataSource().getConnection();
    JdbcTemplate.update(
        connection, "CREATE TABLE notes (id INT PRIMARY KEY, text VARCHAR(10), at TIMESTAMP(6))");
  }

  @AfterEach
  void dropDatabase() throws SQLException {
    connection.close();
    database.close();
  }

  @Test
  void updateReturnsTheNumberOfRowsAndQueryMapsThem() {
    int inserted =
        JdbcTemplate.update(
            connection, "INSERT INTO notes VALUES (?, ?, NULL), (?, ?, NULL)", 1, "a", 2, null);

    assertThat(inserted).isEqualTo(2);
    assertThat(
            JdbcTemplate.query(
                connection,
                "SELECT text FROM notes WHERE id >= ? ORDER BY id",
                row -> row.getString("text"),
                1))
        .isEqualTo(Arrays.asList("a", null));
  }

  @Test
  void updateReturningMapsTheChangedRows() {
    List<Integer> ids =
        JdbcTemplate.updateReturning(
            connection,
            "SELECT id FROM FINAL TABLE (INSERT INTO notes VALUES (?, 'x', NULL))",
            row -> row.getInt(1),
            7);

    assertThat(ids).containsExactly(7);
  }

  @Test
  void batchRunsOnceForEachListOfParameters() {
    JdbcTemplate.batch(
        connection,
        "INSERT INTO notes VALUES (?, ?, NULL)",
        IntStream.range(0, 1234).mapToObj(i -> List.of(i, "t" + i)).toList());

    assertThat(JdbcTemplate.query(connection, "SELECT COUNT(*) FROM notes", row -> row.getInt(1)))
        .containsExactly(1234);
  }

  @Test
  void instantsAreBoundInUtcAndParametersBindThemselves() {
    Parameter tail = (statement, index) -> statement.setString(index, "bound");

    JdbcTemplate.update(
        connection,
        "INSERT INTO notes VALUES (1, ?, ?)",
        tail,
        Instant.parse("2024-03-10T02:30:00.123456Z"));

    assertThat(
            JdbcTemplate.query(
                connection,
                "SELECT text || ' ' || CAST(at AS VARCHAR) FROM notes",
                row -> row.getString(1)))
        .containsExactly("bound 2024-03-10 02:30:00.123456");
  }

  @Test
  void failureNamesTheStatementAndNotTheValues() {
    assertThatThrownBy(
            () ->
                JdbcTemplate.update(
                    connection, "INSERT INTO notes VALUES (?, ?, NULL)", 1, "a secret too long"))
        .isInstanceOf(OutboxStoreException.class)
        .hasMessage("statement failed: INSERT INTO notes VALUES (?, ?, NULL)")
        .hasStackTraceContaining("SQLState 22001")
        .satisfies(e -> assertThat(e.getCause()).hasMessageNotContaining("secret"));
  }

  @Test
  void connectionStaysOpen() throws SQLException {
    JdbcTemplate.query(connection, "SELECT 1", row -> row.getInt(1));

    assertThat(connection.isClosed()).isFalse();
  }
}
