package outbox.jdbc.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import outbox.jdbc.JdbcTemplate;
import outbox.model.EventKey;

/** Locks aggregates that have no row of their own to lock. */
final class KeyLocks {

  /** Where rows are kept: few enough for a small table, and too many for two to meet often. */
  private static final int MOST_ROWS = 1 << 20;

  private final OrderedTables tables;

  KeyLocks(OrderedTables tables) {
    this.tables = tables;
  }

  void lock(Connection connection, EventKey key) {
    tables.run(
        "lock " + key,
        () -> {
          if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                "lockKey needs a transaction, and the connection is in auto-commit mode: the lock"
                    + " on "
                    + key
                    + " would be gone at once; begin a transaction and write the event in it");
          }
          lock(connection, hash(key));
          return key;
        });
  }

  private void lock(Connection connection, long hash) {
    switch (tables.dialect()) {
      case POSTGRESQL -> lockByAdvice(connection, hash);
      case INNODB -> insert(connection, Math.floorMod(hash, MOST_ROWS));
      case H2 -> {
        insert(connection, hash);
        tables.update(connection, "DELETE FROM {key} WHERE key_hash = ?", hash);
      }
    }
  }

  /**
   * Takes the transaction's id, too, before its events get their numbers: a reader that sees a
   * higher number then knows that this transaction was open.
   */
  private static void lockByAdvice(Connection connection, long hash) {
    String sql = "SELECT pg_advisory_xact_lock(?), txid_current()";
    JdbcTemplate.query(connection, sql, row -> row.getLong(2), hash);
  }

  /**
   * Locks the row, whether it is there or not. On H2 it is deleted at once and stays locked. InnoDB
   * keeps it, because those who wait for a row that is gone when its transaction rolls back run
   * into a deadlock; that way it can happen only once for each row.
   */
  private void insert(Connection connection, long hash) {
    tables.insertIfAbsent(connection, "INSERT INTO {key} (key_hash) VALUES (?)", "key_hash", hash);
  }

  /** The same in every process; two aggregates that share one wait for each other, no more. */
  private long hash(EventKey key) {
    String type = key.aggregateType();
    String text = tables.relay((type == null ? "" : type) + '\0' + key.aggregateId());
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
