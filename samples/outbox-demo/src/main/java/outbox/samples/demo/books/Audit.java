package outbox.samples.demo.books;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;

/** Holds what the ledger saw against what the database says. */
public final class Audit {

  private static final String ORDERS = "SELECT id FROM orders";
  private static final String EVENTS = "SELECT event_id FROM outbox_event";
  private static final String ORDERS_WITH_EVENT =
      "SELECT aggregate_id FROM outbox_event WHERE event_type = 'OrderPlaced'";
  private static final String ORDERS_OF_EVENTS = "SELECT DISTINCT aggregate_id FROM outbox_event";

  private final DataSource dataSource;
  private final Ledger ledger;
  private final Counters counters;

  public Audit(DataSource dataSource, Ledger ledger, Counters counters) {
    this.dataSource = dataSource;
    this.ledger = ledger;
    this.counters = counters;
  }

  /** The books as they stand; {@code replayed} is what the operator replayed. */
  public Books close(int replayed) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Set<String> orders = ids(connection, ORDERS);
      Set<String> events = ids(connection, EVENTS);
      Set<String> arrived = ledger.arrivedEvents();
      Books.Findings findings =
          new Books.Findings(
              missing(ids(connection, ORDERS_OF_EVENTS), orders),
              missing(orders, ids(connection, ORDERS_WITH_EVENT)),
              Math.abs(orders.size() - ledger.committedOrders()),
              orders.stream().filter(ledger::isRolledBack).count(),
              missing(arrived, events),
              events.size() - TableCounts.read(connection).done());
      return new Books(
          orders.size(),
          events.size(),
          ledger.deliveries(),
          counters.hotEnqueued(),
          counters.failures(),
          ledger.refusedEvents(),
          counters.deaths(),
          replayed,
          ledger.rolledBackOrders(),
          ledger.duplicates(),
          missing(events, arrived),
          findings);
    }
  }

  private static long missing(Set<String> expected, Set<String> found) {
    return expected.stream().filter(id -> !found.contains(id)).count();
  }

  private static Set<String> ids(Connection connection, String sql) throws SQLException {
    Set<String> ids = new HashSet<>();
    try (PreparedStatement select = connection.prepareStatement(sql);
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids;
  }
}
