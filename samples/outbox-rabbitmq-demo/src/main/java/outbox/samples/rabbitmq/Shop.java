package outbox.samples.rabbitmq;

import java.net.URI;
import java.sql.SQLException;
import org.h2.jdbcx.JdbcConnectionPool;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.cloudevents.CloudEvents;
import outbox.destination.Destination;
import outbox.destination.GuardedDestination;
import outbox.jdbc.database.JdbcDatabase;
import outbox.rabbitmq.RabbitMqDestination;

/** Writes orders and their events in one transaction; the outbox gets them to the broker. */
final class Shop implements AutoCloseable {

  private final JdbcConnectionPool dataSource;
  private final JdbcDatabase database;
  private final GuardedDestination broker;
  private final Outbox outbox;

  Shop(String uri) throws SQLException {
    dataSource = JdbcConnectionPool.create("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1", "sa", "");
    database = JdbcDatabase.of(dataSource).createTable();
    // docs:begin wiring
    Destination destination =
        RabbitMqDestination.builder("shop")
            .uri(uri) // amqp://user:password@host:5672/virtual-host
            .exchange("shop-events")
            .format(CloudEvents.binary(URI.create("https://shop.example/orders")))
            .build();
    broker = new GuardedDestination(destination);
    outbox =
        Outbox.singleNode()
            .database(database)
            .listener("order.placed", broker)
            .listener("order.cancelled", broker)
            .build();
    outbox.start();
    // docs:end wiring
  }

  void place(String orderId) throws SQLException {
    commit("order.placed", orderId);
  }

  void cancel(String orderId) throws SQLException {
    commit("order.cancelled", orderId);
  }

  /** The outbox first: it still delivers what it has in hand. */
  @Override
  public void close() {
    outbox.close();
    broker.close();
    dataSource.dispose();
  }

  private void commit(String eventType, String orderId) throws SQLException {
    try (var transaction = database.begin()) {
      // The order itself would be written here, on database.connection().
      outbox
          .writer()
          .write(
              EventEnvelope.builder(eventType)
                  .aggregateType("Order")
                  .aggregateId(orderId)
                  .payloadJson("{\"orderId\":\"%s\"}".formatted(orderId))
                  .build());
      transaction.commit();
    }
  }
}
