package outbox.samples.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.cloudevents.CloudEvents;
import outbox.destination.Message;
import outbox.destination.Protocol;

/** Consumes the events of the shop, each of them once. */
final class Warehouse implements AutoCloseable {

  private static final String EXCHANGE = "shop-events";
  private static final String QUEUE = "warehouse";

  private final Connection connection;
  private final Channel channel;
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final Set<String> seen = new HashSet<>();

  Warehouse(String uri) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    connection = factory.newConnection("warehouse");
    channel = connection.createChannel();
    channel.exchangeDeclare(EXCHANGE, "topic", true);
    channel.queueDeclare(QUEUE, true, false, false, null);
    bind("order.placed");
    channel.basicConsume(QUEUE, false, (tag, delivery) -> take(delivery), tag -> {});
  }

  void bind(String routingKey) throws IOException {
    channel.queueBind(QUEUE, EXCHANGE, routingKey);
  }

  /** Such as {@code order.placed of order-1}; null if nothing comes within half a minute. */
  @Nullable String next() throws InterruptedException {
    return received.poll(30, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    connection.abort(1000);
  }

  private void take(Delivery delivery) throws IOException {
    // docs:begin read
    Map<String, String> headers = new HashMap<>();
    delivery.getProperties().getHeaders().forEach((name, value) -> headers.put(name, "" + value));
    String contentType = delivery.getProperties().getContentType();
    EventEnvelope event =
        CloudEvents.read(new Message(delivery.getBody(), contentType, headers), Protocol.AMQP);
    // docs:end read
    if (seen.add(event.eventId())) {
      received.add("%s of %s".formatted(event.eventType(), event.aggregateId()));
    }
    channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
  }
}
