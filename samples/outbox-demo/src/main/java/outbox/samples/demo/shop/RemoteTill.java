package outbox.samples.demo.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import outbox.OutboxWriter;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.jdbc.tx.JdbcTransactionManager.Transaction;
import outbox.jdbc.tx.ThreadLocalTxContext;
import outbox.samples.demo.books.Ledger;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;

/**
 * A till in another process that never lives long: it has connections of its own, and what it
 * commits nobody here hears of.
 */
public final class RemoteTill {

  private final ConnectionProvider connections;
  private final ThreadLocalTxContext txContext = new ThreadLocalTxContext();
  private final JdbcTransactionManager transactions;
  private final OutboxWriter writer;
  private final Orders orders;

  RemoteTill(ConnectionProvider connections, OutboxStore store, Ledger ledger) {
    this.connections = connections;
    transactions = new JdbcTransactionManager(connections, txContext);
    writer = new OutboxWriter(txContext, store);
    orders = new Orders(txContext, ledger);
  }

  /** The process dies right after the commit. */
  public void placeAndDie(List<Order> batch) throws SQLException {
    new Checkout(transactions, writer, orders).placeAll(batch);
  }

  /**
   * The process dies when all is written and only the commit lacks. Returns how many rows of it,
   * order and event, can be found afterwards.
   */
  public int dieBeforeCommit(Order order) throws SQLException {
    try (Transaction transaction = transactions.begin()) {
      orders.insert(order);
      writer.write(order.placed());
      killSession();
      transaction.commit();
    } catch (SQLException sessionIsGone) {
      return remains(order);
    }
    throw new IllegalStateException("expected the commit of a killed session to fail");
  }

  /** What the database does itself when it loses a client. */
  private void killSession() throws SQLException {
    String session = "CALL SESSION_ID()";
    try (PreparedStatement ask = txContext.currentConnection().prepareStatement(session);
        Connection other = connections.getConnection();
        PreparedStatement kill = other.prepareStatement("CALL ABORT_SESSION(?)")) {
      kill.setInt(1, onlyInt(ask));
      kill.execute();
    }
  }

  private int remains(Order order) throws SQLException {
    String sql =
        """
        SELECT (SELECT COUNT(*) FROM orders WHERE id = ?)
             + (SELECT COUNT(*) FROM outbox_event WHERE aggregate_id = ?)
        """;
    try (Connection connection = connections.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setString(1, order.id());
      select.setString(2, order.id());
      return onlyInt(select);
    }
  }

  private static int onlyInt(PreparedStatement query) throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }
}
