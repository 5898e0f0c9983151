package outbox.dispatch;

import java.util.Objects;
import outbox.EventEnvelope;

/** An event in the dispatcher's queue; {@code attempts} counts the tries already made. */
public record QueuedEvent(EventEnvelope envelope, Source source, int attempts) {

  public QueuedEvent {
    Objects.requireNonNull(envelope, "envelope must not be null");
    Objects.requireNonNull(source, "source must not be null");
  }

  QueuedEvent from(Source other) {
    return source == other ? this : new QueuedEvent(envelope, other, attempts);
  }

  /** For what only needs to know which event it is. */
  QueuedEvent withoutPayload() {
    EventEnvelope empty =
        EventEnvelope.builder(envelope.eventType())
            .eventId(envelope.eventId())
            .occurredAt(envelope.occurredAt())
            .payloadJson("")
            .build();
    return new QueuedEvent(empty, source, attempts);
  }

  /** Where the event came from: straight after the commit, or from the database. */
  public enum Source {
    HOT,
    COLD
  }
}
