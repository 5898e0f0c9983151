package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.internal.Condition;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;
import outbox.spi.Fetched;

/** Finds pending events, claims them and gives claims back. */
final class PendingStatements {

  /**
   * For rows that are found by their ids. Said so, it keeps PostgreSQL from its index of pending
   * rows, which looks small to it and is full of those that have just ended.
   */
  static final Condition PENDING = Condition.of("status NOT IN (1, 3)");

  private static final Comparator<Fetched> LONGEST_DUE_FIRST =
      Comparator.comparing(Fetched::availableAt).thenComparing(row -> row.event().eventId());

  private static final Comparator<Fetched> OLDEST_FIRST =
      Comparator.comparing((Fetched row) -> row.event().createdAt())
          .thenComparing(row -> row.event().eventId());

  private final EventTable table;

  PendingStatements(EventTable table) {
    this.table = table;
  }

  List<Fetched> poll(Connection connection, Fetch fetch) {
    String sql =
        """
        SELECT {lightColumns}, available_at, 0 AS taken_over
        FROM {table}
        WHERE {where}
        ORDER BY {order}
        LIMIT ?
        """;
    if (fetch.limit() <= 0) {
      return List.of();
    }
    return table.run("poll events", () -> select(connection, sql, due(fetch), fetch, portion("")));
  }

  List<Fetched> claim(Connection connection, Lock lock, Fetch fetch) {
    if (fetch.limit() <= 0) {
      return List.of();
    }
    return table.run(
        "claim events for " + lock.ownerId(),
        () -> Transactions.inTransaction(connection, tx -> claim(tx, fetch, lock)));
  }

  private List<Fetched> claim(Connection connection, Fetch fetch, Lock lock) throws SQLException {
    Duration lease = Duration.between(lock.expiry(), lock.lockedAt());
    table.standstill().limitWithOthersRows(connection, lease);
    table.beforeLocking(connection);
    List<Fetched> events = selectForUpdate(connection, due(fetch).and(free(lock)), fetch);
    lock(connection, lock, events);
    return events;
  }

  /** The index ends the search: it has what falls due next right behind what is due. */
  List<Instant> dueTimes(Connection connection, Fetch later, Instant until) {
    Condition between =
        Condition.of(
            "available_at > ? AND available_at <= ?", table.time(later.now()), table.time(until));
    Condition where = wanted(between, later.filter());
    return table.run(
        "read the next due times",
        () ->
            due(connection, where, later.limit()).stream()
                .map(EventTable.Due::availableAt)
                .sorted()
                .limit(later.limit())
                .toList());
  }

  int release(Connection connection, String ownerId, Collection<String> eventIds) {
    String sql =
        """
        UPDATE {table} {byPrimaryKey}
        SET locked_by = NULL, locked_at = NULL
        WHERE {where}
        """;
    Condition held = PENDING.and("locked_by = ?", ownerId);
    return table.run(
        "release claims of " + ownerId,
        () -> {
          int released = 0;
          for (List<String> ids : table.oneOf().chunks(List.copyOf(eventIds))) {
            table.beforeLocking(connection);
            released += update(connection, sql, held.and(withIds(ids)), List.of());
          }
          return released;
        });
  }

  /** Pending rows that are due and wanted. */
  Condition due(Fetch fetch) {
    Condition due =
        Condition.of(
            "available_at <= ? AND created_at <= ?",
            table.time(fetch.now()),
            table.time(fetch.createdUntil()));
    if (fetch.dueSince() != null) {
      due = due.and(Condition.of("available_at >= ?", table.time(fetch.dueSince())));
    }
    return wanted(due, fetch.filter());
  }

  private Condition wanted(Condition due, EventFilter filter) {
    Condition ofTypes = wanted(due, "event_type", filter.eventTypes());
    Condition ofAggregates = wanted(ofTypes, "aggregate_type", filter.aggregateTypes());
    return wanted(ofAggregates, "tenant_id", filter.tenantIds());
  }

  /** Rows that nobody holds, or not any more. */
  Condition free(Lock lock) {
    return Condition.of("(locked_by IS NULL OR locked_at < ?)", table.time(lock.expiry()));
  }

  /**
   * Of several searches, one per status, those that are due for longest, the oldest first. Were the
   * oldest taken, new events would stand back for as long as older ones are tried again.
   */
  private List<Fetched> sorted(
      Connection connection, List<Fetched> rows, Fetch fetch, Portion<Fetched> portion) {
    List<Fetched> due = rows.stream().sorted(LONGEST_DUE_FIRST).limit(fetch.limit()).toList();
    return oldestFirst(portion.of(connection, due, fetch.bytes()).rows());
  }

  static List<Fetched> oldestFirst(List<Fetched> rows) {
    return rows.stream().sorted(OLDEST_FIRST).toList();
  }

  private Portion<Fetched> portion(String lock) {
    return new Portion<>(table, Fetched::event, Fetched::with, lock);
  }

  private Condition wanted(Condition due, String column, Set<String> values) {
    return values.isEmpty() ? due : due.and(table.oneOf().condition(column, new TreeSet<>(values)));
  }

  private List<Fetched> selectForUpdate(Connection connection, Condition wanted, Fetch fetch) {
    String sql =
        """
        SELECT {lightColumns}, available_at,
          CASE WHEN locked_by IS NULL THEN 0 ELSE 1 END AS taken_over
        FROM {table}
        WHERE {where}
        {first}
        FOR UPDATE SKIP LOCKED
        """;
    Portion<Fetched> portion = portion("FOR UPDATE");
    if (table.locksBeforeItLimits()) {
      List<String> first = longestDue(connection, wanted, fetch.limit());
      List<Fetched> locked =
          byIds(
              connection,
              sql.replace("{first}", ""),
              wanted,
              first,
              Portion.share(fetch.bytes(), fetch.limit()));
      if (locked.size() == first.size()) {
        return sorted(connection, locked, fetch, portion);
      }
      // Others have just taken some of these, and there may be more behind them.
    }
    String ordered = sql.replace("{first}", "ORDER BY {order} LIMIT ?");
    return select(connection, ordered, wanted, fetch, portion);
  }

  private List<Fetched> byIds(
      Connection connection,
      String template,
      Condition wanted,
      List<String> all,
      List<Long> share) {
    List<Fetched> rows = new ArrayList<>();
    for (List<String> ids : table.oneOf().chunks(all)) {
      Condition where = PENDING.and(wanted).and(withIds(ids));
      String sql = table.weighing(where.in(template));
      rows.addAll(JdbcTemplate.query(connection, sql, table::fetched, where.between(share)));
    }
    return rows;
  }

  private List<String> longestDue(Connection connection, Condition wanted, int limit) {
    return due(connection, wanted, limit).stream()
        .sorted(
            Comparator.comparing(EventTable.Due::availableAt)
                .thenComparing(EventTable.Due::eventId))
        .limit(limit)
        .map(EventTable.Due::eventId)
        .toList();
  }

  private List<EventTable.Due> due(Connection connection, Condition wanted, int limit) {
    String sql =
        """
        SELECT event_id, available_at
        FROM {table}
        WHERE {where}
        ORDER BY {order}
        LIMIT ?
        """;
    List<EventTable.Due> due = new ArrayList<>();
    for (String pending : table.pendingConditions()) {
      String of = table.sql(Condition.of(pending).and(wanted).in(sql));
      due.addAll(JdbcTemplate.query(connection, of, table::due, wanted.before(limit)));
    }
    return due;
  }

  private void lock(Connection connection, Lock lock, List<Fetched> events) {
    String sql =
        """
        UPDATE {table} {byPrimaryKey}
        SET locked_by = ?, locked_at = ?
        WHERE {where}
        """;
    List<String> all = events.stream().map(row -> row.event().eventId()).toList();
    for (List<String> ids : table.oneOf().chunks(all)) {
      update(connection, sql, withIds(ids), List.of(lock.ownerId(), table.time(lock.lockedAt())));
    }
  }

  private Condition withIds(List<String> ids) {
    return table.oneOf().condition("event_id", ids);
  }

  private int update(Connection connection, String template, Condition where, List<?> values) {
    return JdbcTemplate.update(connection, table.sql(where.in(template)), where.between(values));
  }

  private List<Fetched> select(
      Connection connection,
      String template,
      Condition where,
      Fetch fetch,
      Portion<Fetched> portion) {
    List<Fetched> rows = new ArrayList<>();
    for (String pending : table.pendingConditions()) {
      String sql = table.weighing(Condition.of(pending).and(where).in(template));
      List<Long> share = Portion.share(portion.left(fetch.bytes(), rows), fetch.limit());
      Object[] parameters = where.between(share, fetch.limit());
      rows.addAll(JdbcTemplate.query(connection, sql, table::fetched, parameters));
    }
    return sorted(connection, rows, fetch, portion);
  }
}
