package outbox.dispatch;

import java.util.Objects;
import outbox.EventEnvelope;

/** An event in the dispatcher's queue; {@code attempts} counts the tries already made. */
public record QueuedEvent(EventEnvelope envelope, Source source, int attempts) {

  public QueuedEvent {
    Objects.requireNonNull(envelope, "envelope must not be null");
    Objects.requireNonNull(source, "source must not be null");
  }

  /** Where the event came from: straight after the commit, or from the database. */
  public enum Source {
    HOT,
    COLD
  }
}
