package outbox.kafka;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import outbox.destination.UnavailableException;
import outbox.internal.SafeLogger;
import outbox.util.DaemonThreadFactory;

/** Keeps one producer, and a new one in its place after an error that no producer survives. */
final class Producers {

  private static final Logger LOG = SafeLogger.of(KafkaDestination.class);

  private final String name;
  private final ProducerSettings settings;
  private final DaemonThreadFactory closers;
  private @Nullable Producer<byte[], byte[]> current;
  private boolean transactionsReady;
  private boolean closed;

  /**
   * Makes the first producer at once, so that a property it refuses is told where it was set.
   *
   * @throws IllegalArgumentException for such a property
   */
  Producers(String name, ProducerSettings settings) {
    this.name = name;
    this.settings = settings;
    this.closers = new DaemonThreadFactory(name + "-close-");
    try {
      current = new KafkaProducer<>(settings.properties());
    } catch (ConfigException e) {
      throw new IllegalArgumentException(
          "properties of destination %s must be valid for Kafka's producer, got: %s"
              .formatted(name, e.getMessage()),
          e);
    } catch (KafkaException e) {
      throw new IllegalArgumentException(
          "properties of destination %s must suit Kafka's producer, got: %s"
              .formatted(name, Failures.told(e)),
          e);
    }
  }

  synchronized Producer<byte[], byte[]> current() {
    if (closed) {
      throw new UnavailableException("destination %s is closed".formatted(name), null);
    }
    if (current == null) {
      current = new KafkaProducer<>(settings.properties());
      transactionsReady = false;
    }
    return Objects.requireNonNull(current);
  }

  /** Ready for a transaction; blocks, within bounds. Called by one thread only. */
  Producer<byte[], byte[]> transactional() {
    Producer<byte[], byte[]> producer = current();
    if (!transactionsReady) {
      try {
        producer.initTransactions();
      } catch (RuntimeException e) {
        replace(producer, e);
        throw e;
      }
      transactionsReady = true;
    }
    return producer;
  }

  void replaceIfBroken(Producer<byte[], byte[]> producer, Throwable failure) {
    if (Failures.isFatal(failure)) {
      replace(producer, failure);
    }
  }

  /** The next call gets another producer; does nothing if somebody has seen to that already. */
  synchronized void replace(Producer<byte[], byte[]> broken, Throwable reason) {
    if (current == broken && !closed) {
      current = null;
      LOG.log(
          Level.WARNING,
          "{0}: a new producer takes over, because this one failed for good: {1}",
          name,
          Failures.told(reason));
      // On a thread of its own: this one may be the producer's.
      closers.newThread(() -> broken.close(Duration.ZERO)).start();
    }
  }

  void close(Duration timeout) {
    Producer<byte[], byte[]> last;
    synchronized (this) {
      closed = true;
      last = current;
      current = null;
    }
    if (last != null) {
      last.close(timeout);
    }
  }
}
