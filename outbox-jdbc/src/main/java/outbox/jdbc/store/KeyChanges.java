package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.JdbcTemplate;
import outbox.model.BlockedKey;
import outbox.model.DiscardReason;
import outbox.model.EventStatus;
import outbox.spi.KeyAction;

/** Does what an operator decided about an aggregate that waits. */
final class KeyChanges {

  private final OrderedTables tables;

  KeyChanges(OrderedTables tables) {
    this.tables = tables;
  }

  /** The event as it is, which nobody else changes until the transaction ends. */
  private record Head(String eventId, EventStatus status, @Nullable String lastError) {

    boolean isDead() {
      return status == EventStatus.DEAD;
    }
  }

  boolean resolve(
      Connection connection, BlockedKey seen, KeyAction action, @Nullable DiscardReason reason) {
    String eventId = seen.head().event().eventId();
    if (action == KeyAction.DISCARD) {
      Objects.requireNonNull(reason, "reason must not be null when an event is discarded");
    }
    return tables.inTransaction(
        "resolve " + seen.key() + " by event " + eventId,
        connection,
        tx -> {
          List<Head> found = lock(tx, eventId);
          if (found.isEmpty() || !isAsSeen(tx, found.get(0), seen, action)) {
            return false;
          }
          apply(tx, found.get(0), action, reason);
          return true;
        });
  }

  private List<Head> lock(Connection connection, String eventId) {
    String sql = "SELECT event_id, status, last_error FROM {table} WHERE event_id = ? FOR UPDATE";
    return JdbcTemplate.query(connection, tables.sql(sql), KeyChanges::head, eventId);
  }

  /** A dead event blocks no more after this. */
  private boolean isAsSeen(Connection connection, Head head, BlockedKey seen, KeyAction action) {
    if (head.status() != seen.head().status()) {
      return false;
    }
    return head.isDead()
        ? new BlockStatements(tables).delete(connection, seen.relay(), head.eventId())
        : head.status() == EventStatus.RETRY && action != KeyAction.RELEASE;
  }

  private void apply(
      Connection connection, Head head, KeyAction action, @Nullable DiscardReason reason) {
    if (action == KeyAction.DISCARD && reason != null) {
      end(connection, head, EventStatus.DONE, reason.lastError(head.lastError()));
    } else if (action == KeyAction.SKIP && !head.isDead()) {
      end(connection, head, EventStatus.DEAD, head.lastError());
    } else if (action == KeyAction.RETRY) {
      retry(connection, head);
    }
  }

  private void retry(Connection connection, Head head) {
    String sql = "UPDATE {table} SET available_at = ? WHERE event_id = ?";
    if (head.isDead()) {
      new DeadStatements(tables.events()).replay(connection, head.eventId());
    } else {
      tables.update(connection, sql, now(), head.eventId());
    }
  }

  private void end(
      Connection connection, Head head, EventStatus status, @Nullable String lastError) {
    String sql =
        """
        UPDATE {table}
        SET status = ?, done_at = ?, last_error = ?, locked_by = NULL, locked_at = NULL
        WHERE event_id = ?
        """;
    tables.update(connection, sql, status.code(), now(), lastError, head.eventId());
  }

  private Object now() {
    return tables.events().time(tables.events().now());
  }

  private static Head head(ResultSet row) throws SQLException {
    return new Head(
        row.getString("event_id"),
        EventStatus.of(row.getInt("status")),
        row.getString("last_error"));
  }
}
