package outbox.kafka;

import static org.apache.kafka.clients.producer.ProducerConfig.*;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import outbox.internal.Require;

/**
 * The properties of a producer: what the guarantees need, what suits events that are handed over in
 * batches, and what the user adds.
 */
record ProducerSettings(Map<String, Object> properties) {

  static final Duration SHORTEST = Duration.ofSeconds(1);

  /** As many as an idempotent producer keeps in order. */
  private static final int MOST_IN_FLIGHT = 5;

  /** Larger than any event; what is too large for a topic is for its brokers to say. */
  private static final int LARGEST_RECORD = 4 << 20;

  private static final int BATCH_BYTES = 64 << 10;
  private static final long BUFFER_BYTES = 64L << 20;

  static ProducerSettings of(
      String bootstrapServers,
      String name,
      Duration deliveryTimeout,
      @Nullable String transactionalId,
      Map<String, Object> added) {
    int millis = Math.toIntExact(Math.min(deliveryTimeout.toMillis(), Integer.MAX_VALUE));
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(CLIENT_ID_CONFIG, "outbox-" + name);
    properties.put(REQUEST_TIMEOUT_MS_CONFIG, millis / 2);
    properties.put(MAX_BLOCK_MS_CONFIG, millis / 4);
    // In the background: where no address can be found now, there may be one later.
    properties.put(BOOTSTRAP_RESOLVE_TIMEOUT_MS_CONFIG, (long) millis);
    properties.put(MAX_REQUEST_SIZE_CONFIG, LARGEST_RECORD);
    properties.put(BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
    properties.put(BATCH_SIZE_CONFIG, BATCH_BYTES);
    properties.put(LINGER_MS_CONFIG, 0);
    properties.putAll(added);
    properties.put(BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(DELIVERY_TIMEOUT_MS_CONFIG, millis);
    properties.put(ACKS_CONFIG, "all");
    properties.put(ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.putIfAbsent(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, MOST_IN_FLIGHT);
    properties.put(KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    properties.put(VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    if (transactionalId != null) {
      properties.put(TRANSACTIONAL_ID_CONFIG, transactionalId);
    }
    return new ProducerSettings(properties);
  }

  /** Refuses what breaks a guarantee and what has a method of its own. */
  static void requireHarmless(String name, Object value) {
    String told = value.toString().strip().toLowerCase(Locale.ROOT);
    switch (name) {
      case ACKS_CONFIG -> require(name, told, "all, or events could be lost", "all", "-1");
      case ENABLE_IDEMPOTENCE_CONFIG ->
          require(name, told, "true, or retries could repeat and reorder events", "true");
      case PARTITIONER_IGNORE_KEYS_CONFIG ->
          require(name, told, "false, or the events of a key would not be in order", "false");
      case MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION ->
          require(name, told, "1 to 5, or order could be lost", "1", "2", "3", "4", "5");
      case RETRIES_CONFIG ->
          Require.check(
              !told.equals("0"), name, "above 0, or events could arrive out of order", value);
      case BOOTSTRAP_SERVERS_CONFIG -> hasMethod(name, "builder(bootstrapServers)");
      case DELIVERY_TIMEOUT_MS_CONFIG -> hasMethod(name, "deliveryTimeout");
      case TRANSACTIONAL_ID_CONFIG -> hasMethod(name, "transactionalId");
      case KEY_SERIALIZER_CLASS_CONFIG, VALUE_SERIALIZER_CLASS_CONFIG ->
          hasMethod(name, "format, which makes the bytes");
      default -> {}
    }
  }

  boolean transactional() {
    return properties.containsKey(TRANSACTIONAL_ID_CONFIG);
  }

  String brokers() {
    return String.valueOf(properties.get(BOOTSTRAP_SERVERS_CONFIG));
  }

  String largestRequest() {
    return String.valueOf(properties.get(MAX_REQUEST_SIZE_CONFIG));
  }

  Duration maxBlock() {
    return millis(MAX_BLOCK_MS_CONFIG);
  }

  Duration deliveryTimeout() {
    return millis(DELIVERY_TIMEOUT_MS_CONFIG);
  }

  private Duration millis(String name) {
    return Duration.ofMillis(Long.parseLong(String.valueOf(properties.get(name))));
  }

  private static void require(String name, String told, String rule, String... allowed) {
    Require.check(Arrays.asList(allowed).contains(told), name, rule, told);
  }

  private static void hasMethod(String name, String method) {
    throw new IllegalArgumentException(
        "%s must be left out of the properties; call %s instead".formatted(name, method));
  }
}
