package outbox.samples.kafka;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.destination.GuardedDestination;
import outbox.jdbc.database.JdbcDatabase;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.kafka.KafkaDestination;

/** Orders and their events in one database, and the events' way to Kafka. */
final class Shop implements AutoCloseable {

  private final JdbcDatabase database;
  private final GuardedDestination destination;
  private final Outbox outbox;

  Shop(DataSource dataSource, String bootstrapServers, String topic) throws SQLException {
    createOrders(dataSource);
    database = JdbcDatabase.of(dataSource).createTable();
    // docs:begin wiring
    destination =
        new GuardedDestination(
            KafkaDestination.builder(bootstrapServers).topic(event -> topic).build());

    outbox =
        Outbox.ordered()
            .database(database)
            .listener("OrderPlaced", destination)
            .listener("OrderPaid", destination)
            .listener("OrderShipped", destination)
            .build();
    // docs:end wiring
    outbox.start();
  }

  void place(int order) throws SQLException {
    change(order, "INSERT INTO orders (id, status) VALUES (?, 'PLACED')", "OrderPlaced");
  }

  void pay(int order) throws SQLException {
    change(order, "UPDATE orders SET status = 'PAID' WHERE id = ?", "OrderPaid");
  }

  void ship(int order) throws SQLException {
    change(order, "UPDATE orders SET status = 'SHIPPED' WHERE id = ?", "OrderShipped");
  }

  /** First the outbox, which may still be sending; then what it sends to. */
  @Override
  public void close() {
    outbox.close();
    destination.close();
  }

  private void change(int order, String sql, String eventType) throws SQLException {
    try (JdbcTransactionManager.Transaction transaction = database.begin()) {
      try (PreparedStatement statement = database.connection().prepareStatement(sql)) {
        statement.setInt(1, order);
        statement.executeUpdate();
      }
      outbox
          .writer()
          .write(
              EventEnvelope.builder(eventType)
                  .aggregateType("Order")
                  .aggregateId("order-" + order)
                  .payloadJson("{\"orderId\":%d}".formatted(order))
                  .build());
      transaction.commit();
    }
  }

  private static void createOrders(DataSource dataSource) throws SQLException {
    try (var connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id INT PRIMARY KEY, status VARCHAR(10) NOT NULL)");
    }
  }
}
