package outbox.dispatch;

import outbox.EventEnvelope;
import outbox.spi.Claim;
import outbox.util.Nullable;

/** An event in this dispatcher's hands, with the rights it is held by. */
record Delivery(QueuedEvent event, InFlight.Hold hold, @Nullable Claim claim) {

  EventEnvelope envelope() {
    return event.envelope();
  }

  String eventId() {
    return envelope().eventId();
  }

  boolean isHot() {
    return event.source() == QueuedEvent.Source.HOT;
  }

  /** False once someone else, in this process or on another node, may have taken the event over. */
  boolean isOurs() {
    return hold.isCurrent() && (claim == null || !claim.isExpired());
  }

  String describe() {
    return "eventId=%s eventType=%s attempt=%d"
        .formatted(eventId(), envelope().eventType(), event.attempts() + 1);
  }
}
