package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.internal.Condition;
import outbox.spi.Claim;
import outbox.spi.Outcome;
import outbox.spi.Settlement;

/**
 * Writes what became of events: one statement for all that fared alike, and one batch for those
 * with an error or a time of their own. Each row changes only while it is pending and, if it was
 * claimed, while that very claim holds.
 */
final class SettleStatements {

  private final EventTable table;

  /** Settlements that one statement can write. */
  private record Alike(Object outcome, @Nullable String ownerId) {

    static Alike of(Settlement settlement) {
      Outcome outcome = settlement.outcome();
      Claim claim = settlement.claim();
      boolean bulk =
          outcome instanceof Outcome.Delivered
              || outcome instanceof Outcome.Released
              || outcome instanceof Outcome.Kept
              || outcome instanceof Outcome.Started;
      return new Alike(bulk ? outcome : outcome.getClass(), claim == null ? null : claim.ownerId());
    }
  }

  SettleStatements(EventTable table) {
    this.table = table;
  }

  int settle(Connection connection, List<Settlement> settlements) {
    Map<Alike, List<Settlement>> groups = new LinkedHashMap<>();
    for (Settlement settlement : settlements) {
      groups.computeIfAbsent(Alike.of(settlement), alike -> new ArrayList<>()).add(settlement);
    }
    return table.run(
        "settle %d events".formatted(settlements.size()),
        () -> {
          Claim claim = settlements.get(0).claim();
          return table
              .lockWait()
              .during(
                  connection,
                  claim == null ? null : claim.timeout(),
                  limited -> writeAll(limited, groups.values()));
        });
  }

  List<Settlement> held(Connection connection, List<Settlement> settlements) {
    List<String> ids = settlements.stream().map(Settlement::eventId).distinct().toList();
    Map<String, EventTable.Holder> holders = new HashMap<>();
    return table.run(
        "see which of %d events are still held".formatted(ids.size()),
        () -> {
          for (List<String> chunk : table.oneOf().chunks(ids)) {
            holders(connection, chunk).forEach(holder -> holders.put(holder.eventId(), holder));
          }
          return settlements.stream()
              .filter(settlement -> isHeld(settlement, holders.get(settlement.eventId())))
              .toList();
        });
  }

  private List<EventTable.Holder> holders(Connection connection, List<String> ids) {
    String sql =
        """
        SELECT event_id, locked_by, locked_at
        FROM {table} {byPrimaryKey}
        WHERE {where}
        """;
    Condition where = PendingStatements.PENDING.and(table.oneOf().condition("event_id", ids));
    return JdbcTemplate.query(
        connection, table.sql(where.in(sql)), table::holder, where.between(List.of()));
  }

  List<Settlement> locked(Connection connection, List<Settlement> settlements) {
    List<String> ids = settlements.stream().map(Settlement::eventId).distinct().toList();
    Set<String> locked = new HashSet<>();
    return table.run(
        "see which of %d events are locked".formatted(ids.size()),
        () -> {
          table.beforeLocking(connection);
          for (List<String> chunk : table.oneOf().chunks(ids)) {
            List<String> taken = new ArrayList<>(chunk);
            taken.removeAll(Set.copyOf(pending(connection, chunk, "FOR UPDATE SKIP LOCKED")));
            if (!taken.isEmpty()) {
              locked.addAll(pending(connection, taken, "")); // the others have ended
            }
          }
          return settlements.stream()
              .filter(settlement -> locked.contains(settlement.eventId()))
              .toList();
        });
  }

  private List<String> pending(Connection connection, List<String> ids, String locking) {
    String sql = "SELECT event_id FROM {table} {byPrimaryKey} WHERE {where} " + locking;
    Condition where = PendingStatements.PENDING.and(table.oneOf().condition("event_id", ids));
    return JdbcTemplate.query(
        connection,
        table.sql(where.in(sql)),
        row -> row.getString("event_id"),
        where.between(List.of()));
  }

  private static boolean isHeld(Settlement settlement, EventTable.@Nullable Holder holder) {
    Claim claim = settlement.claim();
    return holder != null && (claim == null || holder.isBy(claim));
  }

  private int writeAll(Connection connection, Collection<List<Settlement>> groups)
      throws SQLException {
    int changed = 0;
    for (List<Settlement> group : groups) {
      changed += write(connection, group);
    }
    return changed;
  }

  private int write(Connection connection, List<Settlement> group) throws SQLException {
    table.beforeLocking(connection);
    Outcome outcome = group.get(0).outcome();
    if (outcome instanceof Outcome.Delivered delivered) {
      return delivered.deleted() ? delete(connection, group) : done(connection, group);
    }
    if (outcome instanceof Outcome.Released) {
      return release(connection, group);
    }
    if (outcome instanceof Outcome.Kept kept) {
      return keep(connection, group, kept.claim());
    }
    if (outcome instanceof Outcome.Retry) {
      return retry(connection, group);
    }
    if (outcome instanceof Outcome.Deferred) {
      return defer(connection, group);
    }
    if (outcome instanceof Outcome.Started started) {
      return start(connection, group, started.attempts());
    }
    return bury(connection, group);
  }

  private int done(Connection connection, List<Settlement> group) {
    String sql =
        """
        UPDATE {table} {byPrimaryKey}
        SET status = 1, done_at = ?, locked_by = NULL, locked_at = NULL
        WHERE {where}
        """;
    return bulk(connection, sql, group, List.of(table.time(table.now())));
  }

  private int delete(Connection connection, List<Settlement> group) {
    return bulk(connection, "{deleteFrom} WHERE {where}", group, List.of());
  }

  private int release(Connection connection, List<Settlement> group) {
    String sql =
        """
        UPDATE {table} {byPrimaryKey}
        SET locked_by = NULL, locked_at = NULL
        WHERE {where}
        """;
    return bulk(connection, sql, group, List.of());
  }

  private int keep(Connection connection, List<Settlement> group, Claim claim) {
    String sql =
        """
        UPDATE {table} {byPrimaryKey}
        SET locked_at = ?
        WHERE {where}
        """;
    return bulk(connection, sql, group, List.of(table.time(claim.lockedAt())));
  }

  private int start(Connection connection, List<Settlement> group, int attempts) {
    String sql =
        """
        UPDATE {table} {byPrimaryKey}
        SET attempts = ?
        WHERE {where}
        """;
    return bulk(connection, sql, group, List.of(attempts));
  }

  private int bulk(
      Connection connection, String template, List<Settlement> group, List<Object> values) {
    int changed = 0;
    for (List<Settlement> chunk : table.oneOf().chunks(group)) {
      Condition where = table.lockWait().within(connection, stillOurs(chunk));
      String sql = table.sql(where.in(template));
      changed += JdbcTemplate.update(connection, sql, where.between(values));
    }
    return changed;
  }

  /** A lock that is as old as one of these was taken by one of them. */
  private Condition stillOurs(List<Settlement> chunk) {
    List<String> ids = chunk.stream().map(Settlement::eventId).toList();
    Condition where = PendingStatements.PENDING.and(table.oneOf().condition("event_id", ids));
    Claim claim = chunk.get(0).claim();
    return claim == null
        ? where
        : where
            .and(Condition.of("locked_by = ?", claim.ownerId()))
            .and(table.oneOf().condition("locked_at", lockTimes(chunk)));
  }

  private List<Object> lockTimes(List<Settlement> chunk) {
    return chunk.stream()
        .map(Settlement::claim)
        .filter(Objects::nonNull)
        .map(Claim::lockedAt)
        .distinct()
        .map(table::time)
        .toList();
  }

  private int retry(Connection connection, List<Settlement> group) {
    String sql =
        """
        UPDATE {table}
        SET status = 2, attempts = ?, available_at = ?, last_error = ?,
            locked_by = NULL, locked_at = NULL
        WHERE {where}
        """;
    return each(
        connection,
        sql,
        group,
        Outcome.Retry.class,
        retry ->
            List.of(
                retry.attempts(), table.time(retry.nextAt()), ErrorText.truncate(retry.error())));
  }

  private int bury(Connection connection, List<Settlement> group) {
    String sql =
        """
        UPDATE {table}
        SET status = 3, attempts = ?, done_at = ?, last_error = ?,
            locked_by = NULL, locked_at = NULL
        WHERE {where}
        """;
    Object now = table.time(table.now());
    return each(
        connection,
        sql,
        group,
        Outcome.Dead.class,
        dead -> List.of(dead.attempts(), now, ErrorText.truncate(dead.error())));
  }

  private int defer(Connection connection, List<Settlement> group) {
    String sql =
        """
        UPDATE {table}
        SET attempts = ?, available_at = ?, locked_by = NULL, locked_at = NULL
        WHERE {where}
        """;
    return each(
        connection,
        sql,
        group,
        Outcome.Deferred.class,
        deferred -> List.of(deferred.attempts(), table.time(deferred.nextAt())));
  }

  private <O extends Outcome> int each(
      Connection connection,
      String template,
      List<Settlement> group,
      Class<O> type,
      Function<O, List<Object>> values) {
    List<List<Object>> rows = new ArrayList<>();
    for (Settlement settlement : group) {
      List<Object> row = new ArrayList<>(values.apply(type.cast(settlement.outcome())));
      row.addAll(stillOurs(settlement).parameters());
      rows.add(row);
    }
    Condition where = table.lockWait().within(connection, stillOurs(group.get(0)));
    String sql = table.sql(where.in(template));
    return table.sendsBatchesInBulk()
        ? rows.stream().mapToInt(row -> JdbcTemplate.update(connection, sql, row.toArray())).sum()
        : JdbcTemplate.batch(connection, sql, rows);
  }

  private Condition stillOurs(Settlement settlement) {
    Condition where =
        PendingStatements.PENDING.and(Condition.of("event_id = ?", settlement.eventId()));
    Claim claim = settlement.claim();
    return claim == null
        ? where
        : where.and(
            Condition.of(
                "locked_by = ? AND locked_at = ?", claim.ownerId(), table.time(claim.lockedAt())));
  }
}
