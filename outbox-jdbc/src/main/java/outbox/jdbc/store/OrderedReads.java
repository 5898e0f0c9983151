package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.JdbcTemplate.RowMapper;
import outbox.jdbc.internal.Condition;
import outbox.jdbc.store.Portion.Fitting;
import outbox.model.EventKey;
import outbox.spi.OrderedPage;
import outbox.spi.OrderedPage.OpenEvent;
import outbox.spi.OrderedPage.Row;
import outbox.spi.OrderedScan;

/**
 * Reads events in the order of their numbers, and finds out what is not committed yet: PostgreSQL
 * tells which transactions were open when it read, the others show what those have written, and
 * which statements are about to.
 */
final class OrderedReads {

  /** How many numbers may have been taken whose rows don't show yet. */
  private static final long JUST_TAKEN = 10_000;

  /** A page that isn't one view after so many reads is left for later. */
  private static final int MOST_READS = 10;

  private static final Comparator<Row> BY_NUMBER = Comparator.comparingLong(Row::seq);

  private static final String ROWS =
      """
      SELECT {lightColumns}, available_at, seq, {bucket} AS bucket
      FROM {table}
      WHERE {where}
      ORDER BY {along}
      LIMIT ?
      """;

  private static final String HIGHEST = "(SELECT MAX(seq) FROM {table} WHERE (status & 1) = 0)";

  private final OrderedTables tables;

  OrderedReads(OrderedTables tables) {
    this.tables = tables;
  }

  OrderedPage read(Connection connection, OrderedScan scan) {
    if (scan.limit() <= 0 || scan.buckets().isEmpty()) {
      return new OrderedPage(List.of(), List.of(), Set.of());
    }
    return tables.run(
        "read events in order",
        () -> {
          OrderedPage page;
          do {
            page =
                tables.dialect() == OrderedDialect.POSTGRESQL
                    ? withOpenTransactions(connection, scan)
                    : withSlowInserts(connection, scan);
          } while (page.isCut() && page.rows().isEmpty()); // what was there is deleted
          return page;
        });
  }

  /**
   * PostgreSQL lists transactions only up to the last one that has ended: so one that is younger
   * than all others ends here.
   */
  void reveal(Connection connection) {
    if (tables.dialect() == OrderedDialect.POSTGRESQL) {
      tables.run(
          "take a transaction's id",
          () ->
              Transactions.committed(
                  connection,
                  c -> JdbcTemplate.query(c, "SELECT txid_current()", row -> row.getLong(1))));
    }
  }

  /** Far enough below the lowest that a number which is just being taken is not missed. */
  long beginning(Connection connection) {
    String sql =
        """
        SELECT COALESCE(
          (SELECT MIN(seq) FROM {table} WHERE status IN (0, 2)),
          (SELECT MAX(seq) FROM {table}),
          0) AS lowest
        """;
    if (tables.dialect() != OrderedDialect.INNODB) {
      return 0; // an index has pending rows alone
    }
    return tables.run(
        "find the first pending event",
        () ->
            tables
                    .dialect()
                    .uncommitted(
                        connection,
                        c -> JdbcTemplate.query(c, tables.sql(sql), row -> row.getLong(1)).get(0))
                - JUST_TAKEN);
  }

  /** One row of the answer: of the event, if there is any, and of the statement's snapshot. */
  private record Seen(String snapshot, long highest, @Nullable Row row) {}

  /** In one statement, so that both are of the same moment. */
  private OrderedPage withOpenTransactions(Connection connection, OrderedScan scan)
      throws SQLException {
    String sql =
        """
        SELECT snapshot, highest, events.*
        FROM (SELECT txid_current_snapshot()::TEXT AS snapshot, {highest} AS highest) moment
        LEFT JOIN LATERAL (
          {rows}) events ON TRUE
        """
            .replace("{rows}", ROWS.indent(2).strip())
            .replace("{highest}", scan.except().isEmpty() ? "0" : HIGHEST);
    return Transactions.committed(
        connection,
        c -> {
          List<Seen> seen = page(c, sql, scan, this::seen);
          Stream<Row> rows = seen.stream().map(Seen::row).flatMap(Stream::ofNullable);
          Fitting<Row> fitting = fitting(c, scan, rows);
          return new OrderedPage(
              fitting.rows(),
              List.of(),
              openTransactions(seen.get(0).snapshot()),
              seen.get(0).highest(),
              fitting.isCut());
        });
  }

  /** Those that have been deleted since have ended, and hold up nothing that comes after them. */
  private Fitting<Row> fitting(Connection connection, OrderedScan scan, Stream<Row> rows) {
    List<Row> first = rows.sorted(BY_NUMBER).limit(scan.limit()).toList();
    return new Portion<>(tables.events(), Row::event, Row::with, "")
        .of(connection, first, scan.bytes());
  }

  /** Reads {@code xmin:xmax:open,open,…}. */
  static Set<Long> openTransactions(String snapshot) {
    String open = snapshot.substring(snapshot.lastIndexOf(':') + 1);
    return open.isEmpty()
        ? Set.of()
        : Stream.of(open.split(",")).map(Long::valueOf).collect(Collectors.toSet());
  }

  /**
   * An INSERT that ended while this was reading may have let a later event of its aggregate pass,
   * so then all is read again. Those that go on are told of as if they were transactions.
   */
  private OrderedPage withSlowInserts(Connection connection, OrderedScan scan) throws SQLException {
    Set<Long> before = slowInserts(connection);
    for (int i = 0; i < MOST_READS; i++) {
      OrderedPage page = withOpenEvents(connection, scan);
      Set<Long> after = before.isEmpty() ? before : slowInserts(connection);
      if (after.containsAll(before)) {
        return new OrderedPage(
            page.rows(), page.openEvents(), before, page.highest(), page.isCut());
      }
      before = after;
    }
    throw new SQLTransientException("one INSERT after the other ended while events were read");
  }

  private Set<Long> slowInserts(Connection connection) throws SQLException {
    String sql = tables.dialect().slowInserts();
    if (sql == null) {
      return Set.of();
    }
    String table = tables.events().name().name();
    return Transactions.committed(
        connection, c -> Set.copyOf(JdbcTemplate.query(c, sql, row -> row.getLong(1), table)));
  }

  /**
   * What is committed comes first: if something is committed between the two, it is taken for open,
   * which does no harm, while the other way round it would be overlooked.
   */
  private OrderedPage withOpenEvents(Connection connection, OrderedScan scan) throws SQLException {
    long highest = scan.except().isEmpty() ? 0 : highest(connection);
    Fitting<Row> fitting =
        Transactions.committed(
            connection, c -> fitting(c, scan, page(c, ROWS, scan, this::row).stream()));
    List<Row> rows = fitting.rows();
    Set<Long> committed = rows.stream().map(Row::seq).collect(Collectors.toSet());
    long last = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).seq();
    boolean isFull = fitting.isCut() || rows.size() >= scan.limit();
    long upTo = isFull ? last : Math.max(last, scan.passed());
    if (upTo <= scan.after()) {
      return new OrderedPage(rows, List.of(), Set.of(), highest, fitting.isCut());
    }
    List<OpenEvent> open =
        tables.dialect().uncommitted(connection, c -> numbers(c, scan, upTo)).stream()
            .filter(event -> !committed.contains(event.seq()))
            .sorted(Comparator.comparingLong(OpenEvent::seq))
            .toList();
    return new OrderedPage(rows, open, Set.of(), highest, fitting.isCut());
  }

  /** Before the rows are read, so that these have all that is below. */
  private long highest(Connection connection) throws SQLException {
    String sql = "SELECT MAX(seq) FROM {table}";
    return Transactions.committed(
        connection, c -> JdbcTemplate.query(c, tables.sql(sql), row -> row.getLong(1)).get(0));
  }

  private List<OpenEvent> numbers(Connection connection, OrderedScan scan, long upTo) {
    String sql =
        """
        SELECT seq, aggregate_type, aggregate_id
        FROM {table}
        WHERE {where}
        """;
    Condition where = new ScanConditions(tables).of(scan, upTo);
    return select(connection, sql, scan, where, OrderedReads::openEvent, where.before());
  }

  private <T> List<T> page(
      Connection connection, String template, OrderedScan scan, RowMapper<T> mapper) {
    Condition where = new ScanConditions(tables).of(scan, scan.upTo());
    List<Long> share = Portion.share(scan.bytes() / pending(scan).size(), scan.limit());
    return select(connection, template, scan, where, mapper, where.between(share, scan.limit()));
  }

  private List<String> pending(OrderedScan scan) {
    return tables.dialect().pending(scan.upTo() == Long.MAX_VALUE);
  }

  private <T> List<T> select(
      Connection connection,
      String template,
      OrderedScan scan,
      Condition where,
      RowMapper<T> mapper,
      Object[] parameters) {
    List<T> rows = new ArrayList<>();
    for (String pending : pending(scan)) {
      String sql = Condition.of(pending).and(where).in(template);
      rows.addAll(
          JdbcTemplate.query(
              connection,
              tables.weighing(sql.replace("{along}", tables.dialect().order())),
              mapper,
              parameters));
    }
    return rows;
  }

  private Seen seen(ResultSet row) throws SQLException {
    boolean isEvent = row.getString("event_id") != null;
    return new Seen(row.getString("snapshot"), row.getLong("highest"), isEvent ? row(row) : null);
  }

  private Row row(ResultSet row) throws SQLException {
    return new Row(
        row.getLong("seq"),
        row.getInt("bucket"),
        tables.events().event(row),
        tables.events().time(row, "available_at"));
  }

  private static OpenEvent openEvent(ResultSet row) throws SQLException {
    String aggregateId = row.getString("aggregate_id");
    return new OpenEvent(
        row.getLong("seq"),
        aggregateId == null ? null : new EventKey(row.getString("aggregate_type"), aggregateId));
  }
}
