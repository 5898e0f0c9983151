package outbox.samples.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import outbox.destination.MessageHeaders;

/** What a consumer finds in Kafka; an event that comes again is told by its id. */
final class Arrivals {

  private static final Duration GLANCE = Duration.ofMillis(200);

  private final Map<String, List<String>> typesByOrder = new TreeMap<>();
  private final Set<String> seen = new HashSet<>();

  /** Reads until so many different events have arrived, or that took too long. */
  static Arrivals read(String bootstrapServers, String topic, int events, Duration patience) {
    Arrivals arrivals = new Arrivals();
    long deadline = System.nanoTime() + patience.toNanos();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new StringDeserializer(),
            new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (arrivals.seen.size() < events && System.nanoTime() - deadline < 0) {
        consumer.poll(GLANCE).forEach(arrivals::take);
      }
    }
    return arrivals;
  }

  int count() {
    return seen.size();
  }

  /** By key, in the order of arrival. */
  Map<String, List<String>> typesByOrder() {
    return typesByOrder;
  }

  // docs:begin consume
  private void take(ConsumerRecord<String, String> record) {
    if (seen.add(header(record, MessageHeaders.EVENT_ID))) {
      typesByOrder
          .computeIfAbsent(record.key(), order -> new ArrayList<>())
          .add(header(record, MessageHeaders.EVENT_TYPE));
    }
  }

  private static String header(ConsumerRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }
  // docs:end consume
}
