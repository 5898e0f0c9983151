package outbox.kafka;

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
import org.apache.kafka.common.InvalidRecordException;
import org.jspecify.annotations.Nullable;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.destination.UnavailableException;

/**
 * Says what Kafka's errors mean to an event: never again, not this one now, or nothing to anybody
 * now.
 */
final class Failures {

  private final ProducerSettings settings;

  Failures(ProducerSettings settings) {
    this.settings = settings;
  }

  Throwable of(Parcel parcel, Throwable failure) {
    if (failure instanceof OutboxException) {
      return failure;
    }
    if (cause(failure, RecordTooLargeException.class) != null) {
      return tooLarge(parcel, failure);
    }
    if (cause(failure, InvalidTopicException.class) != null
        || cause(failure, InvalidRecordException.class) != null
        || cause(failure, InvalidTimestampException.class) != null) {
      return new NonRetryableException(
          "Kafka refuses event %s for topic %s for good: %s; correct what it names and replay the event"
              .formatted(parcel.event().eventId(), parcel.topic(), told(failure)),
          failure);
    }
    if (isMissingTopic(failure)) {
      return new OutboxException(
          "topic %s does not exist at %s; event %s is tried again, create the topic"
              .formatted(parcel.topic(), settings.brokers(), parcel.event().eventId()),
          failure);
    }
    if (cause(failure, TopicAuthorizationException.class) != null) {
      return new OutboxException(
          "not allowed to write to topic %s at %s; event %s is tried again, grant WRITE and DESCRIBE on the topic"
              .formatted(parcel.topic(), settings.brokers(), parcel.event().eventId()),
          failure);
    }
    return isNobodysFault(failure) ? unavailable(failure) : other(parcel, failure);
  }

  /** Whether a producer is of no use after it. */
  static boolean isFatal(Throwable failure) {
    return cause(failure, ProducerFencedException.class) != null
        || cause(failure, InvalidProducerEpochException.class) != null
        || cause(failure, OutOfOrderSequenceException.class) != null
        || cause(failure, InvalidPidMappingException.class) != null
        || cause(failure, ClusterAuthorizationException.class) != null
        || cause(failure, TransactionalIdAuthorizationException.class) != null
        || cause(failure, UnsupportedVersionException.class) != null
        || cause(failure, BootstrapResolutionException.class) != null
        || failure.getClass() == KafkaException.class // in the way of everything that follows
        || failure instanceof IllegalStateException;
  }

  /** Told by brokers that were there to tell it. */
  static boolean isMissingTopic(Throwable failure) {
    return cause(failure, UnknownTopicOrPartitionException.class) != null;
  }

  /** The first line of each cause, without stack traces. */
  static String told(Throwable failure) {
    StringBuilder text = new StringBuilder(line(failure));
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      text.append("; ").append(line(cause));
    }
    return text.toString();
  }

  private static boolean isNobodysFault(Throwable failure) {
    return isFatal(failure)
        || cause(failure, RetriableException.class) != null
        || cause(failure, AuthenticationException.class) != null
        || cause(failure, AuthorizationException.class) != null
        || cause(failure, InterruptException.class) != null;
  }

  UnavailableException unavailable(Throwable failure) {
    if (cause(failure, AuthenticationException.class) != null) {
      return new UnavailableException(
          "Kafka at %s refuses the credentials: %s; correct user, password or certificate of the destination"
              .formatted(settings.brokers(), told(failure)),
          failure);
    }
    if (cause(failure, AuthorizationException.class) != null) {
      return new UnavailableException(
          "Kafka at %s allows this producer nothing: %s; grant what it names"
              .formatted(settings.brokers(), told(failure)),
          failure);
    }
    return new UnavailableException(
        "Kafka at %s can't be reached or doesn't answer in time: %s"
            .formatted(settings.brokers(), told(failure)),
        failure);
  }

  private static OutboxException other(Parcel parcel, Throwable failure) {
    return new OutboxException(
        "Kafka did not take event %s for topic %s: %s"
            .formatted(parcel.event().eventId(), parcel.topic(), told(failure)),
        failure);
  }

  private NonRetryableException tooLarge(Parcel parcel, Throwable failure) {
    return new NonRetryableException(
        ("event %s of type %s has %,d bytes with key and headers, more than topic %s takes:"
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

  private static String line(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  private static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> type) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return type.cast(cause);
      }
    }
    return null;
  }
}
