package outbox.samples.demo.books;

import static outbox.model.EventStatus.DEAD;
import static outbox.model.EventStatus.DONE;
import static outbox.model.EventStatus.NEW;
import static outbox.model.EventStatus.RETRY;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import outbox.model.EventStatus;

/** How many events the outbox table holds in each status. */
public record TableCounts(int waiting, int toRetry, int dead, int done) {

  public static TableCounts read(Connection connection) throws SQLException {
    String sql = "SELECT status, COUNT(*) FROM outbox_event GROUP BY status";
    Map<EventStatus, Integer> counts = new EnumMap<>(EventStatus.class);
    try (PreparedStatement select = connection.prepareStatement(sql);
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        counts.put(EventStatus.of(rows.getInt(1)), rows.getInt(2));
      }
    }
    return new TableCounts(
        counts.getOrDefault(NEW, 0),
        counts.getOrDefault(RETRY, 0),
        counts.getOrDefault(DEAD, 0),
        counts.getOrDefault(DONE, 0));
  }

  public int pending() {
    return waiting + toRetry;
  }

  public int total() {
    return waiting + toRetry + dead + done;
  }
}
