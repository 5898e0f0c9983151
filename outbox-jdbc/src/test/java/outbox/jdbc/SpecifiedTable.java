package outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The table as the specification writes it, with the types that a database has for it. */
public final class SpecifiedTable {

  private SpecifiedTable() {}

  public static void create(DataSource dataSource, String json, String time) {
    String smallest = time.startsWith("DATETIME") ? "TINYINT" : "SMALLINT";
    String table =
        """
        CREATE TABLE outbox_event (
          event_id VARCHAR(36) PRIMARY KEY,
          event_type VARCHAR(128) NOT NULL,
          aggregate_type VARCHAR(64),
          aggregate_id VARCHAR(128),
          tenant_id VARCHAR(64),
          payload JSON NOT NULL,
          headers JSON,
          status TINYINT NOT NULL,
          attempts INT NOT NULL DEFAULT 0,
          available_at DATETIME(6) NOT NULL,
          created_at DATETIME(6) NOT NULL,
          done_at DATETIME(6),
          last_error TEXT,
          locked_by VARCHAR(128),
          locked_at DATETIME(6)
        )
        """
            .replace("JSON", json)
            .replace("DATETIME(6)", time)
            .replace("TINYINT", smallest);
    String index =
        "CREATE INDEX idx_status_available ON outbox_event(status, available_at, created_at)";
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(table);
      statement.execute(index);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
