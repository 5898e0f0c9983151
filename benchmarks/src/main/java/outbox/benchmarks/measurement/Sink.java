package outbox.benchmarks.measurement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import outbox.EventHeaders;
import outbox.benchmarks.contender.Payload;
import outbox.testing.brokers.KafkaBroker;

/** An empty topic for one trial, and what a consumer finds there. */
final class Sink implements AutoCloseable {

  private static final int PARTITIONS = 6;
  private static final Duration GLANCE = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /**
   * What a consumer missed, got twice, or got after a later event of the aggregate.
   *
   * @param misplaced 0 where the events have no numbers, because they were sent without order
   */
  record Audit(long lost, long twice, long misplaced) {

    static final Audit NONE = new Audit(0, 0, 0);
  }

  private final KafkaBroker broker;
  private final String topic = "ticks-" + UUID.randomUUID();

  Sink(KafkaBroker broker) {
    this.broker = broker;
    NewTopic created = new NewTopic(topic, Optional.of(PARTITIONS), Optional.empty());
    try (Admin admin = admin()) {
      await(admin.createTopics(List.of(created)).all());
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!knowsEnds(admin, deadline)) {
        LockSupport.parkNanos(GLANCE.toNanos() / 10);
      }
    }
  }

  /** False as long as the broker has not heard of the topic yet, until the deadline. */
  private boolean knowsEnds(Admin admin, long deadlineNanos) {
    try {
      await(admin.listOffsets(ends()).all());
      return true;
    } catch (CompletionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          && System.nanoTime() - deadlineNanos < 0) {
        return false;
      }
      throw e;
    }
  }

  /**
   * A broker that has just told of its partitions may refuse the first records and take those right
   * behind them, which an idempotent producer never recovers from. One that knows where partitions
   * end takes all.
   */
  private Map<TopicPartition, OffsetSpec> ends() {
    return IntStream.range(0, PARTITIONS)
        .boxed()
        .collect(toMap(number -> new TopicPartition(topic, number), number -> OffsetSpec.latest()));
  }

  String topic() {
    return topic;
  }

  /** Events per second of Kafka's producer alone. */
  double fillBare(int events, int keys) {
    return new BareProducer(broker.address(), topic, keys).send(events);
  }

  /** Reads all there is. */
  Audit audit(int events) {
    BitSet seen = new BitSet(events);
    Map<String, Long> last = new HashMap<>();
    long twice = 0;
    long misplaced = 0;
    try (KafkaConsumer<String, String> consumer = consumer()) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long left =
          consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
      while (left > 0) {
        for (ConsumerRecord<String, String> record : consumer.poll(GLANCE)) {
          left--;
          int id = (int) Payload.id(record.value());
          twice += seen.get(id) ? 1 : 0;
          seen.set(id);
          misplaced += isMisplaced(record, last) ? 1 : 0;
        }
      }
    }
    return new Audit(events - seen.cardinality(), twice, misplaced);
  }

  private static boolean isMisplaced(
      ConsumerRecord<String, String> record, Map<String, Long> last) {
    Header sequence = record.headers().lastHeader(EventHeaders.SEQUENCE);
    if (sequence == null) {
      return false;
    }
    long number = Long.parseLong(new String(sequence.value(), UTF_8));
    Long before = last.put(record.key(), number);
    return before != null && before >= number;
  }

  private KafkaConsumer<String, String> consumer() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", broker.address()),
        new StringDeserializer(),
        new StringDeserializer());
  }

  private static void await(KafkaFuture<?> change) {
    change
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", broker.address()));
  }

  @Override
  public void close() {
    try (Admin admin = admin()) {
      await(admin.deleteTopics(List.of(topic)).all());
    }
  }
}
