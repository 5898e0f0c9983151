package outbox.rabbitmq;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import outbox.EventEnvelope;
import outbox.destination.Destination;
import outbox.destination.NameRule;

/** A broker for scenarios, and what they have in common. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BrokerScenarios {

  private static final AtomicInteger AGGREGATES = new AtomicInteger();

  private final List<AutoCloseable> opened = new ArrayList<>();
  private AmqpFixture fixture;
  private AmqpBroker broker;

  protected abstract AmqpBroker newBroker() throws Exception;

  @BeforeAll
  void startBroker() throws Exception {
    broker = newBroker();
    fixture = new AmqpFixture(broker);
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
    opened.clear();
  }

  @AfterAll
  void stopBroker() throws Exception {
    fixture.close();
  }

  final AmqpFixture fixture() {
    return fixture;
  }

  final AmqpBroker broker() {
    return broker;
  }

  /** Closed after the test, the last one first. */
  final <T extends AutoCloseable> T opened(T part) {
    opened.add(part);
    return part;
  }

  final Destination open(RabbitMqDestination.Builder builder) {
    return opened(builder.build());
  }

  /** Events of the type {@code Elsewhere} go to that exchange, the others where all go. */
  final Destination openWithElsewhere(String exchange) {
    return open(fixture.builder("orders").exchange(elsewhere(exchange)));
  }

  static NameRule elsewhere(String exchange) {
    return event -> event.eventType().equals("Elsewhere") ? exchange : AmqpFixture.EXCHANGE;
  }

  final Channel channel() throws Exception {
    Connection connection = broker.connect();
    opened.add(() -> connection.abort(1000));
    return connection.createChannel();
  }

  /** A queue of the test's own, bound to the exchange for this key. */
  final String queue(Channel channel, String routingKey, Map<String, Object> arguments)
      throws Exception {
    String queue = "test-" + routingKey;
    channel.queueDeclare(queue, false, false, true, arguments);
    channel.queueBind(queue, AmqpFixture.EXCHANGE, routingKey);
    return queue;
  }

  static GetResponse nextOf(Channel channel, String queue) {
    return await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> channel.basicGet(queue, true), response -> response != null);
  }

  final void awaitArrival(EventEnvelope event) {
    await().atMost(Duration.ofMinutes(1)).until(() -> arrivals(event) > 0);
  }

  final long arrivals(EventEnvelope event) {
    return fixture.deliveries().stream()
        .filter(delivery -> event.eventId().equals(delivery.getProperties().getMessageId()))
        .count();
  }

  /** Of an aggregate of its own. */
  static EventEnvelope event(String type) {
    return event(type, "order-" + AGGREGATES.incrementAndGet());
  }

  static EventEnvelope event(String type, String aggregateId) {
    return EventEnvelope.builder(type).aggregateId(aggregateId).payloadJson("{\"n\":1}").build();
  }

  static List<EventEnvelope> events(int count) {
    return IntStream.range(0, count).mapToObj(i -> event("OrderPlaced")).toList();
  }
}
