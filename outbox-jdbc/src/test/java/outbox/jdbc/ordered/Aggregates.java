package outbox.jdbc.ordered;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.database.JdbcDatabase;
import outbox.jdbc.store.AbstractJdbcOutboxStore;

/**
 * Business rows that count their events: a transaction locks the row of each aggregate it writes
 * for, so that events are numbered in the order of commits.
 */
final class Aggregates {

  static final String EVENT_TYPE = "Changed";

  private static final String TYPE = "Account";

  private final JdbcDatabase database;
  private final OutboxWriter writer;

  private Aggregates(JdbcDatabase database, OutboxWriter writer) {
    this.database = database;
    this.writer = writer;
  }

  /** Adds aggregates without events. */
  static Aggregates create(JdbcDatabase database, List<String> keys) throws SQLException {
    OutboxWriter writer = new OutboxWriter(database.transactions(), database.store());
    Aggregates aggregates = new Aggregates(database, writer);
    try (Connection connection = database.connections().getConnection()) {
      JdbcTemplate.update(
          connection,
          "CREATE TABLE account (id VARCHAR(64) NOT NULL PRIMARY KEY, version INT NOT NULL)");
      JdbcTemplate.batch(
          connection,
          "INSERT INTO account (id, version) VALUES (?, 0)",
          keys.stream().map(List::<Object>of).toList());
    }
    return aggregates;
  }

  static List<String> keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> "a" + i).toList();
  }

  /** The same rows, written by a process that has another clock. */
  Aggregates withClock(Clock clock) {
    AbstractJdbcOutboxStore store = (AbstractJdbcOutboxStore) database.store();
    return new Aggregates(
        database, new OutboxWriter(database.transactions(), store.withClock(clock)));
  }

  /** What happens between the last statement of a transaction and its end. */
  interface Ending {
    /** False to roll back. */
    boolean commits();
  }

  void write(String key, int count) throws SQLException {
    write(List.of(key), count, () -> true);
  }

  /** So many events for each of the aggregates, in one transaction; false if rolled back. */
  boolean write(List<String> keys, int count, Ending ending) throws SQLException {
    try (var tx = database.begin()) {
      for (String key : new TreeSet<>(keys)) {
        writer.writeAll(events(key, lock(key, count), count));
      }
      boolean commits = ending.commits();
      if (commits) {
        tx.commit();
      }
      return commits;
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

  private static List<EventEnvelope> events(String key, int before, int count) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int version = before + 1; version <= before + count; version++) {
      events.add(
          EventEnvelope.builder(EVENT_TYPE)
              .aggregateType(TYPE)
              .aggregateId(key)
              .payloadJson(String.valueOf(version))
              .build());
    }
    return events;
  }

  /** How many events each aggregate has, as the business knows it. */
  Map<String, Integer> versions() throws SQLException {
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
