package outbox.samples.multids;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import outbox.model.EventStatus;

/** Looks into one database. */
final class Tables {

  private final DataSource dataSource;

  Tables(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  void createDocuments() throws SQLException {
    String sql = "CREATE TABLE document (id VARCHAR(36) PRIMARY KEY)";
    try (Connection connection = dataSource.getConnection();
        PreparedStatement create = connection.prepareStatement(sql)) {
      create.execute();
    }
  }

  List<String> documents() {
    return strings("SELECT id FROM document ORDER BY id");
  }

  /** The documents that have an event. */
  List<String> events() {
    return strings("SELECT aggregate_id FROM outbox_event ORDER BY aggregate_id");
  }

  List<String> events(EventStatus status) {
    return strings(
        "SELECT aggregate_id FROM outbox_event WHERE status = %d ORDER BY aggregate_id"
            .formatted(status.code()));
  }

  private List<String> strings(String sql) {
    List<String> strings = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(sql);
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        strings.add(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException("could not look into the database", e);
    }
    return strings;
  }
}
