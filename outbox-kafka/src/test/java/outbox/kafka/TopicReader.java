package outbox.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import outbox.testing.brokers.KafkaBroker;

/** Reads a topic from its beginning, and only what is committed. */
final class TopicReader implements AutoCloseable {

  private static final Duration GLANCE = Duration.ofMillis(200);

  private final Consumer<String, byte[]> consumer;
  private final List<ConsumerRecord<String, byte[]>> read = new ArrayList<>();

  TopicReader(KafkaBroker broker, String topic) {
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                broker.address(),
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                "false"),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(partition -> new TopicPartition(topic, partition.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** All that can be read now, in order per partition. */
  synchronized List<ConsumerRecord<String, byte[]>> all() {
    int before;
    do {
      before = read.size();
      consumer.poll(GLANCE).forEach(read::add);
    } while (read.size() > before);
    return List.copyOf(read);
  }

  List<ConsumerRecord<String, byte[]>> await(int records) {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(this::all, found -> found.size() >= records);
  }

  static String header(ConsumerRecord<String, byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
