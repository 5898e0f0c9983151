package outbox.dispatch;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import outbox.EventEnvelope;
import outbox.spi.Claim;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.util.Nullable;

/**
 * An event in this dispatcher's hands, with the rights it is held by; without a lease where events
 * are not claimed.
 *
 * @param lateSince when the event could have been delivered first, as far as its row tells; null if
 *     that was when it came
 */
record Delivery(
    QueuedEvent event,
    InFlight.Hold hold,
    @Nullable Lease lease,
    @Nullable Instant lateSince,
    long cameNanos)
    implements Work {

  Delivery(
      QueuedEvent event, InFlight.Hold hold, @Nullable Lease lease, @Nullable Instant lateSince) {
    this(event, hold, lease, lateSince, System.nanoTime());
  }

  /** Of an event that has just been committed. */
  Delivery(QueuedEvent event, InFlight.Hold hold, @Nullable Lease lease) {
    this(event, hold, lease, null);
  }

  /** How long it takes by now to deliver the event; never less than nothing, whatever clocks do. */
  Duration latency(Clock clock) {
    Duration latency =
        lateSince == null
            ? Duration.ofNanos(System.nanoTime() - cameNanos)
            : Duration.between(notBeforeItsTime(lateSince), clock.instant());
    return latency.isNegative() ? Duration.ZERO : latency;
  }

  /** A row that failed tells when it is due again, and no more when it was due first. */
  private Instant notBeforeItsTime(Instant since) {
    Instant availableAt = envelope().availableAt();
    return availableAt != null && availableAt.isAfter(since) ? availableAt : since;
  }

  EventEnvelope envelope() {
    return event.envelope();
  }

  String eventId() {
    return envelope().eventId();
  }

  @Override
  public boolean isHot() {
    return event.source() == QueuedEvent.Source.HOT;
  }

  @Override
  public Delivery delivery() {
    return this;
  }

  /** False once someone else, in this process or on another node, may have taken the event over. */
  boolean isOurs() {
    return hold.isCurrent() && (lease == null || lease.isOurs());
  }

  /** Whether a try has to be counted before it is made. */
  boolean isTakenOver() {
    return lease != null && lease.isTakenOver();
  }

  /**
   * Whether tries were made before, and the last one may have killed its process; what is in
   * somebody's custody is for that one to judge.
   */
  boolean isSuspect() {
    return lease != null && lease.isTakenOver() && lease.claim() != null && event.attempts() > 0;
  }

  boolean isStarted() {
    return lease != null && lease.isStarted();
  }

  /** Whether others get the event only if its row says so. */
  boolean isToBeGivenBack() {
    return lease != null && (lease.claim() != null || lease.isStarted());
  }

  /** The event may become others', without being given to them. */
  void letGo() {
    if (lease != null) {
      lease.lose();
    }
  }

  Settlement settlement(Outcome outcome) {
    Claim claim = lease == null ? null : lease.claim();
    return new Settlement(eventId(), claim, outcome);
  }

  String describe() {
    return "eventId=%s eventType=%s attempt=%d"
        .formatted(eventId(), envelope().eventType(), event.attempts() + 1);
  }
}
