package outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs single statements on the caller's connection, which stays open; a failing one becomes an
 * {@link OutboxStoreException}.
 *
 * <p>An {@link Instant} is bound as a date and time in UTC, whatever the JVM's time zone, and a
 * {@link Parameter} binds itself; all else is up to the driver's {@code setObject}.
 */
public final class JdbcTemplate {

  /** Larger batches hold many payloads in memory and gain nothing. */
  private static final int BATCH = 500;

  /** Makes a value of the row that the result stands on. */
  @FunctionalInterface
  public interface RowMapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  /** A value with its own way into a statement, for what {@code setObject} gets wrong. */
  @FunctionalInterface
  public interface Parameter {
    void bind(PreparedStatement statement, int index) throws SQLException;
  }

  private interface Run<T> {
    T on(PreparedStatement statement) throws SQLException;
  }

  private JdbcTemplate() {}

  /** Returns the number of rows changed. */
  public static int update(Connection connection, String sql, @Nullable Object... parameters) {
    return run(
        connection,
        sql,
        statement -> {
          bind(statement, parameters);
          return statement.executeUpdate();
        });
  }

  public static <T> List<T> query(
      Connection connection, String sql, RowMapper<T> mapper, @Nullable Object... parameters) {
    return run(
        connection,
        sql,
        statement -> {
          bind(statement, parameters);
          return rows(statement, mapper);
        });
  }

  /** Runs a statement that changes rows and returns them; their order is the database's. */
  public static <T> List<T> updateReturning(
      Connection connection, String sql, RowMapper<T> mapper, @Nullable Object... parameters) {
    return query(connection, sql, mapper, parameters);
  }

  /**
   * Runs a statement once for each list of parameters, up to {@value #BATCH} per round trip.
   * Returns the number of rows changed, without those that the driver can't tell.
   */
  public static int batch(
      Connection connection, String sql, List<? extends List<? extends @Nullable Object>> rows) {
    return run(
        connection,
        sql,
        statement -> {
          int changed = 0;
          for (int from = 0; from < rows.size(); from += BATCH) {
            for (List<?> row : rows.subList(from, Math.min(rows.size(), from + BATCH))) {
              bind(statement, row.toArray());
              statement.addBatch();
            }
            changed += IntStream.of(statement.executeBatch()).filter(count -> count > 0).sum();
          }
          return changed;
        });
  }

  private static <T> T run(Connection connection, String sql, Run<T> run) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return run.on(statement);
    } catch (SQLException e) {
      throw OutboxStoreException.redacted("statement failed: " + sql.strip(), e);
    }
  }

  private static <T> List<T> rows(PreparedStatement statement, RowMapper<T> mapper)
      throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      List<T> rows = new ArrayList<>();
      while (result.next()) {
        rows.add(mapper.map(result));
      }
      return rows;
    }
  }

  private static void bind(PreparedStatement statement, @Nullable Object... parameters)
      throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      bind(statement, i + 1, parameters[i]);
    }
  }

  private static void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value instanceof String text) {
      statement.setString(index, text); // MariaDB's driver looks long for what an object may be
    } else if (value instanceof Parameter parameter) {
      parameter.bind(statement, index);
    } else if (value instanceof Instant instant) {
      statement.setObject(index, LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
    } else {
      statement.setObject(index, value);
    }
  }
}
