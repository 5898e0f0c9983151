package outbox.samples.modulith.broker;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import outbox.EventHeaders;
import outbox.spring.boot.OutboxHeader;
import outbox.spring.boot.OutboxListener;

/** Stands for a client of Kafka or RabbitMQ. */
@Component
public class Broker {

  private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

  // docs:begin broker
  @OutboxListener("OrderPlaced")
  void send(
      String json,
      @OutboxHeader(EventHeaders.TOPIC) String topic,
      @OutboxHeader(EventHeaders.ROUTING_KEY) @Nullable String key) {
    sent.add("to %s, key %s: %s".formatted(topic, key, json));
  }

  // docs:end broker

  public BlockingQueue<String> sent() {
    return sent;
  }
}
