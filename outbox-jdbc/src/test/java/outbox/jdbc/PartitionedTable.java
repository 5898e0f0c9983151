package outbox.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import outbox.jdbc.schema.OutboxSchema;

/** PostgreSQL's table with a partition per day, made by the script that ships. */
public final class PartitionedTable {

  private PartitionedTable() {}

  public static void create(DataSource dataSource) {
    run(dataSource, "/schema/postgresql-by-day.sql");
    run(dataSource, "/schema/postgresql-ordered.sql");
  }

  private static void run(DataSource dataSource, String resource) {
    try (InputStream script = OutboxSchema.class.getResourceAsStream(resource)) {
      execute(dataSource, new String(script.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The moment is SQL. */
  static void addDay(DataSource dataSource, String moment) {
    execute(dataSource, "SELECT outbox_event_add_day(((" + moment + ") AT TIME ZONE 'UTC')::DATE)");
  }

  private static void execute(DataSource dataSource, String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
