package outbox.dispatch;

import java.util.List;
import outbox.internal.ErrorText;
import outbox.spi.Claim;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.util.Nullable;

/**
 * What has to be written about a delivery; {@code failures} counts what was tried.
 *
 * @param renewal the claim that it is written under, if that is not the one that is known to hold
 */
record Completion(Delivery delivery, Outcome outcome, int failures, @Nullable Claim renewal) {

  Completion(Delivery delivery, Outcome outcome) {
    this(delivery, outcome, 0, null);
  }

  /** The text of an error may be what the column can't hold, so the next try is in plain ASCII. */
  Completion failedAgain() {
    return new Completion(delivery, plain(outcome), failures + 1, null);
  }

  private static Outcome plain(Outcome outcome) {
    if (outcome instanceof Outcome.Retry retry) {
      return new Outcome.Retry(retry.attempts(), retry.nextAt(), ErrorText.ascii(retry.error()));
    }
    return outcome instanceof Outcome.Dead dead
        ? new Outcome.Dead(dead.attempts(), ErrorText.ascii(dead.error()))
        : outcome;
  }

  Settlement settlement() {
    return renewal == null
        ? delivery.settlement(outcome)
        : new Settlement(delivery.eventId(), renewal, outcome);
  }

  /** The same under each claim that the row may have, because the answer to a renewal was lost. */
  List<Completion> underRenewals() {
    Lease lease = delivery.lease();
    return lease == null || renewal != null
        ? List.of()
        : lease.unanswered().stream()
            .map(claim -> new Completion(delivery, outcome, failures, claim))
            .toList();
  }

  /** The row may say so, or not. */
  void unanswered() {
    Lease lease = delivery.lease();
    if (lease != null && outcome instanceof Outcome.Kept kept) {
      lease.perhapsRenewed(kept.claim());
    }
  }

  /** Whether somebody waits until it is written: for an event's end, or to begin its delivery. */
  boolean isAwaited() {
    Lease lease = delivery.lease();
    return outcome instanceof Outcome.Started || (lease != null && lease.claim() == null);
  }

  /**
   * Whether it can be kept until the row takes it, because nobody else delivers the event. That
   * there was no try need not be written.
   */
  boolean mayWait() {
    boolean isOfATry =
        outcome instanceof Outcome.Delivered
            || outcome instanceof Outcome.Retry
            || outcome instanceof Outcome.Dead;
    return isOfATry && delivery.lease() == null;
  }

  /** The row says so now, unless it is not ours any more. */
  void written(boolean isOurs) {
    Lease lease = delivery.lease();
    if (lease != null && isOurs && renewal != null) {
      lease.renewed(renewal);
    }
    if (lease != null && isOurs && outcome.isEnd()) {
      lease.wrote(outcome);
    }
    if (lease != null && outcome instanceof Outcome.Deferred) {
      delivery.hold().untried(); // with the attempts it has, it may be claimed again
    } else if (outcome.isEnd() || lease == null) {
      delivery.hold().tried();
    } else if (outcome instanceof Outcome.Started) {
      lease.started(isOurs);
    } else if (outcome instanceof Outcome.Kept kept && isOurs) {
      lease.renewed(kept.claim());
    } else {
      lease.lose();
    }
  }

  /** The row will never say so. */
  void givenUp() {
    Lease lease = delivery.lease();
    if (lease != null) {
      lease.unwritable();
    }
    if (outcome.isEnd()) {
      delivery.hold().tried();
    } else if (lease != null) {
      lease.started(false);
    }
  }
}
