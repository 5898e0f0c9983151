package outbox.rabbitmq;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.destination.Destination;
import outbox.destination.MessageHeaders;
import outbox.destination.testing.DestinationFixture;
import outbox.destination.testing.Received;

/** A broker with an exchange, a queue for all that comes there, and a consumer of that. */
final class AmqpFixture implements DestinationFixture {

  static final String EXCHANGE = "events";
  private static final String QUEUE = "all";
  private static final int MAX_MESSAGE = 100_000;

  private final AmqpBroker broker;
  private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
  private @Nullable Connection reader;

  AmqpFixture(AmqpBroker broker) throws Exception {
    this.broker = broker;
    startBroker();
  }

  @Override
  public Destination open() {
    return builder("orders").maxMessageBytes(MAX_MESSAGE).build();
  }

  /** Of a destination that doesn't wait for long. */
  RabbitMqDestination.Builder builder(String name) {
    return RabbitMqDestination.builder(name)
        .uri(broker.uri())
        .exchange(EXCHANGE)
        .connectTimeout(Duration.ofSeconds(10))
        .confirmTimeout(Duration.ofSeconds(20))
        .closeTimeout(Duration.ofSeconds(20));
  }

  @Override
  public List<Received> received() {
    return deliveries.stream().map(AmqpFixture::received).toList();
  }

  List<Delivery> deliveries() {
    return deliveries;
  }

  @Override
  public void stopBroker() throws Exception {
    broker.kill();
  }

  @Override
  public void startBroker() throws Exception {
    if (!broker.isRunning()) {
      broker.start();
      await().atMost(Duration.ofMinutes(1)).ignoreExceptions().until(this::consumes);
    }
  }

  @Override
  public int tooLarge() {
    return MAX_MESSAGE + 1;
  }

  @Override
  public Set<String> secrets() {
    return Set.of(AmqpBroker.PASSWORD);
  }

  @Override
  public void close() throws Exception {
    if (reader != null) {
      reader.abort(1000);
    }
    broker.close();
  }

  private boolean consumes() throws Exception {
    Connection connection = broker.connect();
    Channel channel = connection.createChannel();
    channel.exchangeDeclare(EXCHANGE, "topic", true);
    channel.queueDeclare(QUEUE, true, false, false, null);
    channel.queueBind(QUEUE, EXCHANGE, "#");
    channel.basicConsume(QUEUE, true, (tag, delivery) -> deliveries.add(delivery), tag -> {});
    reader = connection;
    return true;
  }

  private static Received received(Delivery delivery) {
    Map<String, String> headers =
        delivery.getProperties().getHeaders().entrySet().stream()
            .collect(
                Collectors.toMap(
                    header -> header.getKey().toLowerCase(Locale.ROOT),
                    header -> header.getValue().toString()));
    return new Received(
        headers.get(MessageHeaders.AGGREGATE_ID),
        delivery.getBody(),
        delivery.getProperties().getContentType(),
        headers);
  }
}
