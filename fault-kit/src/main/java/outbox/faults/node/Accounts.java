package outbox.faults.node;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.WriteResult;
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
  private static final char DASH = '-';

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

  /** New keys that have so many events each, in one transaction. */
  public void open(List<String> keys, int count) throws SQLException {
    try (var tx = database.begin()) {
      JdbcTemplate.batch(
          database.connection(),
          "INSERT INTO account (id, version) VALUES (?, ?)",
          keys.stream().map(key -> List.<Object>of(key, count)).toList());
      List<EventEnvelope> events =
          keys.stream().flatMap(key -> events(key, 0, count).stream()).toList();
      long number = journal.writes(events);
      writer.writeAll(events);
      tx.commit();
      journal.committed(number);
    }
  }

  /** Writes one more event for each of the keys in the thread's transaction, and takes it back. */
  void takeBack(List<String> keys) throws SQLException {
    Connection connection = database.connection();
    Savepoint before = connection.setSavepoint();
    List<EventEnvelope> events = new ArrayList<>();
    for (String key : new TreeSet<>(keys)) {
      events.addAll(events(key, lock(key, 1), 1));
    }
    long number = journal.writes(events);
    writer.writeAll(events);
    connection.rollback(before);
    journal.rolledBack(number);
  }

  /** The event of this number, unless it is there: its key and version follow from the number. */
  public boolean writeIfAbsent(List<String> keys, int number) throws SQLException {
    String key = keys.get(number % keys.size());
    EventEnvelope event = event(key, number / keys.size() + 1).eventId("same-" + number).build();
    try (var tx = database.begin()) {
      long transaction = journal.writes(List.of(event));
      if (writer.writeIfAbsent(event) == WriteResult.ALREADY_THERE) {
        return false;
      }
      JdbcTemplate.update(
          database.connection(), "UPDATE account SET version = version + 1 WHERE id = ?", key);
      tx.commit();
      journal.committed(transaction);
      return true;
    }
  }

  /** What happens between the last statement of a transaction and its end. */
  public interface Ending {
    /** False to roll back. */
    boolean commits() throws SQLException;
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
      events.add(event(key, version).build());
    }
    return events;
  }

  private EventEnvelope.Builder event(String key, int version) {
    return EventEnvelope.builder(EVENT_TYPE)
        .aggregateType(type(key))
        .aggregateId(key)
        .payloadJson(Payload.of(version, payloadBytes));
  }

  /** Keys that a {@link Behaviour} has are of a type of their own. */
  static String type(String key) {
    int dash = key.indexOf(DASH);
    return dash < 0 ? TYPE : key.substring(0, dash);
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
