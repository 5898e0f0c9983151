package outbox.dispatch;

import java.util.concurrent.CompletableFuture;
import outbox.spi.Claim;

/**
 * The claim on one event for as long as the event is in this dispatcher's hands: renewed while it
 * waits or is being delivered, or lost.
 */
final class Lease {

  private final boolean takenOver;
  private final CompletableFuture<Boolean> started = new CompletableFuture<>();
  private volatile Claim claim;
  private volatile boolean lost;

  Lease(Claim claim, boolean takenOver) {
    this.claim = claim;
    this.takenOver = takenOver;
  }

  Claim claim() {
    return claim;
  }

  /** Whether the event's last holder is dead or was too slow, so that a try counts at its start. */
  boolean isTakenOver() {
    return takenOver;
  }

  boolean isOurs() {
    return !lost && !claim.isExpired();
  }

  /** Whether it makes sense to renew it. */
  boolean isLost() {
    return lost;
  }

  void renewed(Claim next) {
    claim = next;
  }

  void lose() {
    lost = true;
  }

  /** Says whether the start of a try is in the row, to whoever waits for that. */
  void started(boolean isWritten) {
    started.complete(isWritten);
  }

  /** Waits until the start of a try is written, or can't be. */
  boolean awaitStart() {
    return started.join();
  }

  /** Whether the row already counts a try that has not ended. */
  boolean isStarted() {
    return started.getNow(false);
  }
}
