package outbox.domain;

import java.util.Objects;
import outbox.EventEnvelope;

/** Makes of a domain event what is written to the outbox. Must be safe for all threads. */
public interface EventMapper {

  /** Whether this event is one for the outbox. */
  boolean supports(Object event);

  /**
   * The event as it is at this moment.
   *
   * @throws IllegalArgumentException if it is none for the outbox, or something about it can't be
   *     written; says what
   */
  EventEnvelope map(Object event);

  /** Takes every event whose class carries {@link OutboxEvent}, and its payload from the writer. */
  static EventMapper annotated(PayloadWriter payloads) {
    return annotated(payloads, EventClasses.annotated());
  }

  /** Takes every event of these classes, and its payload from the writer. */
  static EventMapper annotated(PayloadWriter payloads, EventClasses classes) {
    return new AnnotatedEvents(
        Objects.requireNonNull(payloads, "payloads must not be null"),
        Objects.requireNonNull(classes, "classes must not be null"));
  }
}
