package outbox.samples.webhook;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.destination.DestinationHealth;
import outbox.destination.GuardedDestination;
import outbox.jdbc.database.JdbcDatabase;
import outbox.webhook.WebhookDestination;

/** The sender: orders in a database, and an outbox that tells a partner of each. */
final class Shop implements AutoCloseable {

  private final JdbcConnectionPool dataSource;
  private final JdbcDatabase database;
  private final GuardedDestination destination;
  private final Outbox outbox;

  /**
   * @param keys what the webhooks are signed with
   */
  Shop(String url, String... keys) throws SQLException {
    dataSource = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
    database = JdbcDatabase.of(dataSource).createTable();
    destination = new GuardedDestination(partner(url, keys));
    outbox = Outbox.singleNode().database(database).listener("OrderPlaced", destination).build();
    outbox.start();
  }

  /** Without encryption, and to this machine, because the partner of the demo lives here. */
  private static WebhookDestination partner(String url, String... keys) {
    // docs:begin destination
    WebhookDestination partner =
        WebhookDestination.builder("partner")
            .url(url)
            .signedBy(keys)
            .allowHttp() // only https without this
            .allowPrivateAddresses() // only the public internet without this
            .build();
    // docs:end destination
    return partner;
  }

  /** Returns the id of the event. */
  String place(String orderId) throws SQLException {
    EventEnvelope placed =
        EventEnvelope.builder("OrderPlaced")
            .aggregateType("Order")
            .aggregateId(orderId)
            .payloadJson("{\"orderId\":\"%s\"}".formatted(orderId))
            .build();
    try (var transaction = database.begin()) {
      outbox.writer().write(placed);
      transaction.commit();
    }
    return placed.eventId();
  }

  boolean isPartnerAway() {
    return destination.health().state() == DestinationHealth.State.DOWN;
  }

  /** The most failed tries that any event was charged with. */
  int mostAttempts() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement query =
            connection.prepareStatement("SELECT MAX(attempts) FROM outbox_event");
        ResultSet row = query.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  @Override
  public void close() {
    outbox.close();
    destination.close();
    dataSource.dispose();
  }
}
