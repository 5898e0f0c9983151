package outbox.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.destination.Destination;
import outbox.destination.MessageFormat;
import outbox.destination.UnavailableException;
import outbox.internal.Require;

/**
 * Sends events to Apache Kafka; an event counts as delivered when all in-sync replicas of its
 * partition have it.
 *
 * <p>The producer is idempotent: what it repeats by itself is stored once, and in order. Topic: the
 * header {@link EventHeaders#TOPIC}, else the event type. Key: the header {@link
 * EventHeaders#ROUTING_KEY}, else the aggregate id, so that the events of an aggregate are in one
 * partition. The record's time is that of sending: retention and brokers judge records by it, and
 * when the event happened is in a header. Safe for all threads.
 *
 * <pre>{@code
 * var kafka = KafkaDestination.builder("kafka-1:9092,kafka-2:9092").build();
 * }</pre>
 */
public final class KafkaDestination implements Destination {

  private final String name;
  private final String bootstrapServers;
  private final int maxBatch;
  private final Duration closeTimeout;
  private final RecordFactory records;
  private final Dispatch dispatch;

  private KafkaDestination(Builder builder) {
    name = builder.name;
    bootstrapServers = builder.bootstrapServers;
    maxBatch = builder.maxBatch;
    closeTimeout = builder.closeTimeout;
    records = new RecordFactory(builder.topic, builder.format);
    dispatch = new Dispatch(name, builder.producerSettings());
  }

  /** For brokers such as {@code kafka-1:9092,kafka-2:9092}. */
  public static Builder builder(String bootstrapServers) {
    return new Builder(bootstrapServers);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int maxBatch() {
    return maxBatch;
  }

  @Override
  public CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) {
    if (dispatch.isClosed()) {
      return CompletableFuture.failedFuture(
          new UnavailableException("destination %s is closed".formatted(name), null));
    }
    if (events.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    Shipment shipment = dispatch.shipment(events.size(), result);
    List<Parcel> parcels = new ArrayList<>(events.size());
    for (EventEnvelope event : events) {
      try {
        parcels.add(new Parcel(event, records.record(event), shipment));
      } catch (Exception e) { // of the format or of the rule for topics: this event's alone
        shipment.failed(event, e);
      }
    }
    dispatch.send(parcels);
    return shipment.stage();
  }

  /**
   * Sends what is under way, as long as {@link Builder#closeTimeout} allows; what is not
   * acknowledged by then counts as not delivered.
   */
  @Override
  public void close() {
    dispatch.close(closeTimeout);
  }

  @Override
  public String toString() {
    return "KafkaDestination[name=%s, bootstrapServers=%s]".formatted(name, bootstrapServers);
  }

  /** Builds a {@link KafkaDestination}; settings that would break its guarantees are refused. */
  public static final class Builder {

    private final String bootstrapServers;
    private final Map<String, Object> properties = new LinkedHashMap<>();
    private String name = "kafka";
    private Function<EventEnvelope, @Nullable String> topic = RecordFactory::topicOf;
    private MessageFormat format = MessageFormat.raw();
    private int maxBatch = 500;
    private Duration deliveryTimeout = Duration.ofSeconds(20);
    private Duration closeTimeout = Duration.ofSeconds(10);
    private @Nullable String transactionalId;

    private Builder(String bootstrapServers) {
      this.bootstrapServers = Require.notEmpty("bootstrapServers", bootstrapServers);
    }

    /** Names it in logs, metrics and health, and to the brokers; default {@code kafka}. */
    public Builder name(String name) {
      this.name = Require.notEmpty("name", name);
      return this;
    }

    /** The rule that says which topic an event goes to, instead of its headers and type. */
    public Builder topic(Function<EventEnvelope, @Nullable String> rule) {
      this.topic = Objects.requireNonNull(rule, "rule must not be null");
      return this;
    }

    /** What is sent of an event; default {@link MessageFormat#raw}. */
    public Builder format(MessageFormat format) {
      this.format = Objects.requireNonNull(format, "format must not be null");
      return this;
    }

    /** The most events that are handed over at once; default 500. */
    public Builder maxBatch(int maxBatch) {
      this.maxBatch = Require.atLeast(1, "maxBatch", maxBatch);
      return this;
    }

    /**
     * How long the producer tries to get an event acknowledged before the destination counts as
     * unavailable; default 20 seconds. Keep it below the outbox's {@code dispatchTimeout}, or an
     * outage is charged to the events.
     */
    public Builder deliveryTimeout(Duration deliveryTimeout) {
      Require.check(
          deliveryTimeout.compareTo(ProducerSettings.SHORTEST) >= 0,
          "deliveryTimeout",
          "at least " + ProducerSettings.SHORTEST,
          deliveryTimeout);
      this.deliveryTimeout = deliveryTimeout;
      return this;
    }

    /** How long {@link KafkaDestination#close} waits for acknowledgements; default 10 seconds. */
    public Builder closeTimeout(Duration closeTimeout) {
      this.closeTimeout = Require.notNegative("closeTimeout", closeTimeout);
      return this;
    }

    /**
     * Has each batch sent in a transaction, under an id that no other node uses: consumers that
     * read committed records see all of a batch or nothing. A batch that is given up before its
     * commit is sent, by a guard's timeout for instance, is aborted; one whose commit is on its way
     * by then is seen, and is repeated. A repeated batch is a second transaction: this alone is no
     * exactly-once delivery.
     */
    public Builder transactionalId(String transactionalId) {
      this.transactionalId = Require.notEmpty("transactionalId", transactionalId);
      return this;
    }

    /**
     * One more property of Kafka's producer, such as {@code security.protocol}.
     *
     * @throws IllegalArgumentException if it would break a guarantee, or has a method of its own
     */
    public Builder property(String name, Object value) {
      ProducerSettings.requireHarmless(name, value);
      properties.put(name, value);
      return this;
    }

    /** Several of them. */
    public Builder properties(Map<String, ?> properties) {
      properties.forEach(this::property);
      return this;
    }

    /**
     * Nothing is connected yet: brokers need not be there.
     *
     * @throws IllegalArgumentException if Kafka's producer refuses a property
     */
    public KafkaDestination build() {
      return new KafkaDestination(this);
    }

    private ProducerSettings producerSettings() {
      return ProducerSettings.of(
          bootstrapServers, name, deliveryTimeout, transactionalId, properties);
    }
  }
}
