package outbox.samples.demo.shop;

import java.sql.SQLException;
import java.util.List;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.jdbc.tx.JdbcTransactionManager.Transaction;

/** The business transactions: an order and its events are committed together, or not at all. */
public final class Checkout {

  private final JdbcTransactionManager transactions;
  private final OutboxWriter writer;
  private final Orders orders;

  public Checkout(JdbcTransactionManager transactions, OutboxWriter writer, Orders orders) {
    this.transactions = transactions;
    this.writer = writer;
    this.orders = orders;
  }

  public void place(Order order) throws SQLException {
    // docs:begin write
    try (Transaction transaction = transactions.begin()) {
      orders.insert(order);
      writer.write(order.placed());
      transaction.commit();
    }
    // docs:end write
  }

  /** Several orders in one transaction, their events in one batch. */
  public void placeAll(List<Order> batch) throws SQLException {
    try (Transaction transaction = transactions.begin()) {
      orders.insertAll(batch);
      writer.writeAll(batch.stream().map(Order::placed).toList());
      transaction.commit();
    }
  }

  /** One order, two events. Returns the id of the second, the request for an invoice. */
  public String placeWithInvoice(Order order) throws SQLException {
    EventEnvelope invoice = order.invoiceRequested();
    try (Transaction transaction = transactions.begin()) {
      orders.insert(order);
      writer.writeAll(List.of(order.placed(), invoice));
      transaction.commit();
    }
    return invoice.eventId();
  }

  /** The payment is declined when everything is written already; nothing of it remains. */
  public void placeDeclined(Order order) throws SQLException {
    try (Transaction transaction = transactions.begin()) {
      orders.insert(order);
      writer.write(order.placed());
      transaction.rollback();
    }
  }
}
