package outbox.kafka;

import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.BootstrapResolutionException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.destination.UnavailableException;

/**
 * Says what Kafka's errors mean to an event: never again, not this one now, or nobody's now.
 *
 * <p>An error counts wherever it stands in the chain of causes.
 */
final class Failures {

  /** No producer survives them. */
  private static final List<Class<? extends Throwable>> FATAL =
      List.of(
          ProducerFencedException.class,
          InvalidProducerEpochException.class,
          OutOfOrderSequenceException.class,
          InvalidPidMappingException.class,
          ClusterAuthorizationException.class,
          TransactionalIdAuthorizationException.class,
          UnsupportedVersionException.class,
          BootstrapResolutionException.class,
          IllegalStateException.class);

  /** The same record would be refused again. */
  private static final List<Class<? extends Throwable>> FOR_GOOD =
      List.of(
          InvalidTopicException.class,
          InvalidRecordException.class,
          InvalidTimestampException.class);

  /** They say nothing about the record. */
  private static final List<Class<? extends Throwable>> OUTAGE =
      List.of(
          RetriableException.class,
          AuthenticationException.class,
          AuthorizationException.class,
          InterruptException.class);

  private final ProducerSettings settings;

  Failures(ProducerSettings settings) {
    this.settings = settings;
  }

  Throwable of(Parcel parcel, Throwable failure) {
    if (failure instanceof OutboxException) {
      return failure;
    }
    if (isFatal(failure)) {
      return unavailable(failure);
    }
    if (has(failure, RecordTooLargeException.class)) {
      return tooLarge(parcel, failure);
    }
    if (hasAny(failure, FOR_GOOD)) {
      return refusedForGood(parcel, failure);
    }
    if (isMissingTopic(failure)) {
      return tryAgain(parcel, "topic %s does not exist at %s", "create the topic", failure);
    }
    if (has(failure, TopicAuthorizationException.class)) {
      return tryAgain(
          parcel,
          "not allowed to write to topic %s at %s",
          "grant WRITE and DESCRIBE on the topic",
          failure);
    }
    return hasAny(failure, OUTAGE) ? unavailable(failure) : other(parcel, failure);
  }

  /** Of a whole transaction: what made it fail says nothing about single events. */
  Throwable ofAll(Throwable failure) {
    boolean isKafkas =
        failure instanceof KafkaException || failure instanceof IllegalStateException;
    return isKafkas ? unavailable(failure) : failure;
  }

  /** Whether a producer is of no use after it. */
  static boolean isFatal(Throwable failure) {
    // The plain type is what a producer in an error state answers everything with.
    return failure.getClass() == KafkaException.class || hasAny(failure, FATAL);
  }

  /** Told by brokers that were there to tell it. */
  static boolean isMissingTopic(Throwable failure) {
    return has(failure, UnknownTopicOrPartitionException.class);
  }

  /** The message of each cause, without stack traces. */
  static String told(Throwable failure) {
    StringBuilder text = new StringBuilder(message(failure));
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      text.append("; ").append(message(cause));
    }
    return text.toString();
  }

  private UnavailableException unavailable(Throwable failure) {
    return new UnavailableException(
        outage(failure).formatted(settings.brokers(), told(failure)), failure);
  }

  private static String outage(Throwable failure) {
    if (has(failure, AuthenticationException.class)) {
      return "Kafka at %s refuses the credentials: %s; correct user, password or certificate of"
          + " the destination";
    }
    if (has(failure, AuthorizationException.class)) {
      return "Kafka at %s doesn't allow this producer to write: %s; grant what it names";
    }
    if (isFatal(failure) && !has(failure, BootstrapResolutionException.class)) {
      return "Kafka at %s doesn't take anything from this producer any more: %s; a new one takes"
          + " over";
    }
    return "Kafka at %s can't be reached or doesn't answer in time: %s";
  }

  private OutboxException tryAgain(Parcel parcel, String what, String remedy, Throwable failure) {
    return new OutboxException(
        "%s; event %s is tried again, %s"
            .formatted(
                what.formatted(parcel.topic(), settings.brokers()),
                parcel.event().eventId(),
                remedy),
        failure);
  }

  private static OutboxException other(Parcel parcel, Throwable failure) {
    return new OutboxException(
        "Kafka did not take event %s for topic %s: %s"
            .formatted(parcel.event().eventId(), parcel.topic(), told(failure)),
        failure);
  }

  private static NonRetryableException refusedForGood(Parcel parcel, Throwable failure) {
    return new NonRetryableException(
        "Kafka refuses event %s for topic %s for good: %s; correct what it names and replay the event"
            .formatted(parcel.event().eventId(), parcel.topic(), told(failure)),
        failure);
  }

  private NonRetryableException tooLarge(Parcel parcel, Throwable failure) {
    return new NonRetryableException(
        ("event %s of type %s has %d bytes with key and headers, more than topic %s takes:"
                + " max.message.bytes of the topic, or max.request.size of the producer (%s); raise"
                + " that and replay the event, or send a reference to the content")
            .formatted(
                parcel.event().eventId(),
                parcel.event().eventType(),
                parcel.size(),
                parcel.topic(),
                settings.largestRequest()),
        failure);
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  private static boolean hasAny(Throwable failure, List<Class<? extends Throwable>> types) {
    return types.stream().anyMatch(type -> has(failure, type));
  }

  private static boolean has(Throwable failure, Class<? extends Throwable> type) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }
}
