package outbox.benchmarks.measurement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import outbox.EventEnvelope;
import outbox.benchmarks.contender.Payload;
import outbox.destination.Message;
import outbox.destination.MessageFormat;
import outbox.destination.Protocol;

/** Kafka's producer as the destination has it, with nothing before it. */
final class BareProducer {

  private final Map<String, Object> settings;
  private final String topic;
  private final int keys;

  BareProducer(String address, String topic, int keys) {
    this.settings =
        Map.of(
            "bootstrap.servers",
            address,
            "acks",
            "all",
            "enable.idempotence",
            true,
            "batch.size",
            64 << 10,
            "linger.ms",
            0,
            "buffer.memory",
            64L << 20);
    this.topic = topic;
    this.keys = keys;
  }

  /** Returns how many were acknowledged per second. */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback is told
  double send(int events) {
    AtomicReference<Exception> failure = new AtomicReference<>();
    Message like = MessageFormat.raw().format(event(0), Protocol.KAFKA);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.partitionsFor(topic);
      long started = System.nanoTime();
      for (int id = 0; id < events; id++) {
        producer.send(
            record(id, like), (metadata, refused) -> failure.compareAndSet(null, refused));
      }
      producer.flush();
      double rate = events * 1e9 / (System.nanoTime() - started);
      if (failure.get() != null) {
        throw new IllegalStateException("the bare producer failed", failure.get());
      }
      return rate;
    }
  }

  /** As long as that of the event with the same number, with headers of the same length. */
  private ProducerRecord<byte[], byte[]> record(int id, Message like) {
    byte[] key = Integer.toString(id % keys).getBytes(UTF_8);
    byte[] value = Payload.of(id).getBytes(UTF_8);
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key, value);
    like.headers().forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
    record.headers().add("content-type", "application/json".getBytes(UTF_8));
    return record;
  }

  private static EventEnvelope event(int id) {
    return EventEnvelope.builder("Tick")
        .aggregateType("Purchase")
        .aggregateId("1000")
        .payloadJson(Payload.of(id))
        .build();
  }
}
