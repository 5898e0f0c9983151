package outbox.spi;

import java.time.Instant;
import outbox.model.OutboxEvent;

/**
 * An event as a poller gets it, due since {@code availableAt}. One that was taken over was claimed
 * before, and whoever had it is dead or too slow: it may be the event that killed it.
 */
public record Fetched(OutboxEvent event, Instant availableAt, boolean takenOver) {

  /** The same with this event. */
  public Fetched with(OutboxEvent event) {
    return new Fetched(event, availableAt, takenOver);
  }

  /**
   * When the event should have been delivered; what failed is late since it was written, though it
   * may have been held back then: when it was due first, its headers alone know.
   */
  public Instant lateSince() {
    return event.attempts() == 0 ? availableAt : event.createdAt();
  }
}
