package outbox.faults.node;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.faults.history.Journal;
import outbox.faults.history.Payload;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.database.JdbcDatabase;

/**
 * Business rows that count their events: a transaction locks the row of each key it writes for, so
 * that the events of a key are numbered in the order of commits.
 */
public final class Accounts {

  public static final String EVENT_TYPE = "Changed";

  private static final String TYPE = "Account";

  private final JdbcDatabase database;
  private final OutboxWriter writer;
  private final Journal journal;
  private final int payloadBytes;

  /** Writes by the database's own clock. */
  public Accounts(JdbcDatabase database, Journal journal) {
    this(database, new OutboxWriter(database.transactions(), database.store()), journal, 0);
  }

  public Accounts(JdbcDatabase database, OutboxWriter writer, Journal journal, int payloadBytes) {
    this.database = database;
    this.writer = writer;
    this.journal = journal;
    this.payloadBytes = payloadBytes;
  }

  public void createTable() throws SQLException {
    try (Connection connection = database.connections().getConnection()) {
      JdbcTemplate.update(
          connection,
          "CREATE TABLE account (id VARCHAR(64) NOT NULL PRIMARY KEY, version INT NOT NULL)");
    }
  }

  /** Keys without events. */
  public void add(List<String> keys) throws SQLException {
    try (Connection connection = database.connections().getConnection()) {
      JdbcTemplate.batch(
          connection,
          "INSERT INTO account (id, version) VALUES (?, 0)",
          keys.stream().map(List::<Object>of).toList());
    }
  }

  /** What happens between the last statement of a transaction and its end. */
  public interface Ending {
    /** False to roll back. */
    boolean commits();
  }

  public void write(String key, int count) throws SQLException {
    write(List.of(key), count, () -> true);
  }

  /**
   * So many events for each of the keys, in one transaction; false if rolled back. After an
   * exception nobody knows whether it was committed.
   */
  public boolean write(List<String> keys, int count, Ending ending) throws SQLException {
    try (var tx = database.begin()) {
      List<EventEnvelope> events = new ArrayList<>();
      for (String key : new TreeSet<>(keys)) {
        events.addAll(events(key, lock(key, count), count));
      }
      long number = journal.writes(events);
      writer.writeAll(events);
      if (!ending.commits()) {
        journal.rolledBack(number);
        return false;
      }
      tx.commit();
      journal.committed(number);
      return true;
    }
  }

  /** Returns how many events there are before those. */
  private int lock(String key, int count) {
    Connection connection = database.connection();
    JdbcTemplate.update(
        connection, "UPDATE account SET version = version + ? WHERE id = ?", count, key);
    return JdbcTemplate.query(
                connection, "SELECT version FROM account WHERE id = ?", row -> row.getInt(1), key)
            .get(0)
        - count;
  }

  private List<EventEnvelope> events(String key, int before, int count) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int version = before + 1; version <= before + count; version++) {
      events.add(
          EventEnvelope.builder(EVENT_TYPE)
              .aggregateType(TYPE)
              .aggregateId(key)
              .payloadJson(Payload.of(version, payloadBytes))
              .build());
    }
    return events;
  }

  /** How many events each key has, as the business knows it. */
  public Map<String, Integer> versions() throws SQLException {
    try (Connection connection = database.connections().getConnection()) {
      Map<String, Integer> versions = new HashMap<>();
      JdbcTemplate.query(
          connection,
          "SELECT id, version FROM account WHERE version > 0",
          row -> versions.put(row.getString(1), row.getInt(2)));
      return versions;
    }
  }
}
