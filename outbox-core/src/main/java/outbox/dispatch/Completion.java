package outbox.dispatch;

import outbox.internal.ErrorText;
import outbox.spi.Outcome;
import outbox.spi.Settlement;

/** What has to be written about a delivery; {@code failures} counts what was tried. */
record Completion(Delivery delivery, Outcome outcome, int failures) {

  Completion(Delivery delivery, Outcome outcome) {
    this(delivery, outcome, 0);
  }

  /** The text of an error may be what the column can't hold, so the next try is in plain ASCII. */
  Completion failedAgain() {
    return new Completion(delivery, plain(outcome), failures + 1);
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
    return delivery.settlement(outcome);
  }

  /** Whether somebody waits for the event's end. */
  boolean isFollowed() {
    Lease lease = delivery.lease();
    return lease != null && lease.claim() == null;
  }

  /** The row says so now, unless it is not ours any more. */
  void written(boolean isOurs) {
    Lease lease = delivery.lease();
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
    if (outcome.isEnd()) {
      delivery.hold().tried();
    } else if (lease != null) {
      lease.started(false);
    }
  }
}
