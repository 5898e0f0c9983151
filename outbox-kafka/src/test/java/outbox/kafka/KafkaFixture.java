package outbox.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import outbox.destination.Destination;
import outbox.destination.testing.DestinationFixture;
import outbox.destination.testing.Received;
import outbox.testing.brokers.KafkaBroker;

/** A broker that the contract may take away. */
final class KafkaFixture implements DestinationFixture {

  private static final int LIMIT = 100_000;

  private final KafkaBroker broker = KafkaBroker.builder().start();
  private final TopicReader reader;

  KafkaFixture() {
    TestKafka.topic(broker, "OrderPlaced", Map.of("max.message.bytes", Integer.toString(LIMIT)));
    reader = new TopicReader(broker, "OrderPlaced");
  }

  @Override
  public Destination open() {
    return KafkaDestination.builder(broker.address())
        .deliveryTimeout(Duration.ofSeconds(3))
        .property("max.block.ms", 3_000)
        .closeTimeout(Duration.ofSeconds(5))
        .build();
  }

  @Override
  public List<Received> received() {
    return reader.all().stream().map(KafkaFixture::received).toList();
  }

  @Override
  public void stopBroker() {
    broker.kill();
  }

  @Override
  public void startBroker() {
    broker.start();
  }

  @Override
  public int tooLarge() {
    return LIMIT + 1;
  }

  @Override
  public void close() {
    reader.close();
    broker.close();
  }

  private static Received received(ConsumerRecord<String, byte[]> record) {
    Map<String, String> headers = new TreeMap<>();
    record
        .headers()
        .forEach(
            header ->
                headers.put(
                    header.key().toLowerCase(Locale.ROOT),
                    new String(header.value(), StandardCharsets.UTF_8)));
    return new Received(record.key(), record.value(), headers.get("content-type"), headers);
  }
}
