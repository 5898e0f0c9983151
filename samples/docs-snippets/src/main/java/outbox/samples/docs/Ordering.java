package outbox.samples.docs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Consumer;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.EventListener;
import outbox.Outbox;
import outbox.OutboxWriter;
import outbox.jdbc.database.JdbcDatabase;
import outbox.model.BlockedKey;
import outbox.model.DiscardReason;
import outbox.ordered.BlockedKeys;
import outbox.ordered.OnDead;

/** Events of each aggregate in order: who delivers, writes, decides and receives them. */
final class Ordering {

  private Ordering() {}

  static Outbox node(JdbcDatabase database, EventListener balanceChanged) {
    // docs:begin node
    Outbox outbox =
        Outbox.ordered()
            .database(database)
            .onDead(OnDead.BLOCK_KEY) // the default: what is behind a dead event waits
            .listener("BalanceChanged", balanceChanged)
            .build();
    // docs:end node
    return outbox;
  }

  static void write(JdbcDatabase database, OutboxWriter writer, String accountId, String balance)
      throws SQLException {
    // docs:begin lock-key
    try (var transaction = database.begin()) {
      writer.lockKey("Account", accountId); // before the first event of this account
      writer.write(
          EventEnvelope.builder("BalanceChanged")
              .aggregateType("Account")
              .aggregateId(accountId)
              .payloadJson(balance)
              .build());
      transaction.commit();
    }
    // docs:end lock-key
  }

  static void show(Outbox outbox, Consumer<String> operator) {
    // docs:begin list
    for (BlockedKey blocked : outbox.blockedKeys().list(100)) {
      operator.accept(
          "%s: %d events wait since %s, %s; %s"
              .formatted(
                  blocked.key(),
                  blocked.depth(),
                  blocked.since(),
                  blocked.waitsForOperator() ? "for a decision" : "for the next try",
                  blocked.head().lastError()));
    }
    // docs:end list
  }

  static boolean retry(Outbox outbox, BlockedKey blocked) {
    // docs:begin retry
    boolean isDone = outbox.blockedKeys().retry(blocked);
    // docs:end retry
    return isDone;
  }

  static boolean giveUp(JdbcDatabase database, BlockedKey blocked) {
    // docs:begin elsewhere
    BlockedKeys blockedKeys =
        new BlockedKeys(database.connections(), database.store(), blocked.relay());
    boolean isDone = blockedKeys.discard(blocked, new DiscardReason("corrected by hand, ticket 7"));
    // docs:end elsewhere
    return isDone;
  }

  /** Of a consumer that keeps the last balance of each account. */
  // docs:begin fence
  static boolean apply(Connection connection, EventEnvelope event) throws SQLException {
    String sql =
        """
        UPDATE account_view SET balance = ?, epoch = ?, sequence = ?
        WHERE account_id = ? AND epoch <= ? AND sequence < ?
        """;
    long epoch = number(event, EventHeaders.EPOCH);
    long sequence = number(event, EventHeaders.SEQUENCE);
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setLong(1, Long.parseLong(event.payloadJson()));
      update.setLong(2, epoch);
      update.setLong(3, sequence);
      update.setString(4, event.aggregateId());
      update.setLong(5, epoch);
      update.setLong(6, sequence);
      return update.executeUpdate() > 0; // if not, it comes again or comes late
    }
  }

  private static long number(EventEnvelope event, String header) {
    return Long.parseLong(Objects.requireNonNull(event.header(header)));
  }
  // docs:end fence
}
