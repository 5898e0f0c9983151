package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import outbox.internal.SafeLogger;
import outbox.spi.Claim;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/**
 * The right to one event for as long as the event is in this dispatcher's hands: a claim that is
 * renewed while it waits or is being delivered, or somebody's custody, or lost.
 */
final class Lease {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  /** An outage with more renewals than this outlasts most leases. */
  private static final int MOST_UNANSWERED = 16;

  private final boolean takenOver;
  private final CompletableFuture<Boolean> started = new CompletableFuture<>();
  private volatile @Nullable Custody custody;
  private volatile @Nullable Claim claim;
  private volatile List<Claim> unanswered = List.of();
  private volatile @Nullable Outcome written;
  private volatile Runnable afterwards = () -> {};
  private volatile boolean lost;
  private boolean isLossTold;

  Lease(Claim claim, boolean takenOver) {
    this.claim = claim;
    this.takenOver = takenOver;
  }

  Lease(Custody custody, boolean takenOver) {
    this.custody = custody;
    this.takenOver = takenOver;
  }

  /** What the row is locked by; null if the right to it isn't the row's to tell. */
  @Nullable
  Claim claim() {
    return claim;
  }

  /** Since when whoever follows the event has it wait; null if nobody knows. */
  @Nullable
  Instant lateSince() {
    Custody byCustody = custody;
    return byCustody == null ? null : byCustody.lateSince();
  }

  /** Whether the event's last holder is dead or was too slow, so that a try counts at its start. */
  boolean isTakenOver() {
    return takenOver;
  }

  boolean isOurs() {
    Claim byRow = claim;
    Custody byCustody = custody;
    return !lost
        && (byRow == null || !byRow.isExpired())
        && (byCustody == null || byCustody.isOurs());
  }

  /** Whether there is a claim that makes sense to renew. */
  boolean isAgeing() {
    Claim byRow = claim;
    return !lost && byRow != null && byRow.isAgeing();
  }

  void renewed(Claim next) {
    claim = next;
    unanswered = List.of();
  }

  /**
   * Nobody knows whether the row has this claim now or one before. The first is kept for sure: it
   * was under way when the database went away, and those after it hardly got there.
   */
  void perhapsRenewed(Claim next) {
    List<Claim> all = new ArrayList<>(unanswered);
    if (all.size() == MOST_UNANSWERED) {
      all.remove(1);
    }
    all.add(next);
    unanswered = List.copyOf(all);
  }

  /** The renewals of which nobody knows whether the row has them. */
  List<Claim> unanswered() {
    return unanswered;
  }

  void lose() {
    lost = true;
  }

  /** True once: a loss shows in renewals, before the try and at its end, and is still one. */
  synchronized boolean isLossNews() {
    boolean isNews = !isLossTold;
    isLossTold = true;
    return isNews;
  }

  /** The row says so now. */
  void wrote(Outcome outcome) {
    written = outcome;
  }

  /** Has this done when the event is out of these hands. */
  void whenEnded(Runnable newAfterwards) {
    afterwards = newAfterwards;
  }

  /** The row will never say what became of the event. */
  void unwritable() {
    Custody byCustody = custody;
    if (byCustody != null) {
      byCustody.unwritable();
    }
  }

  /** The event is out of these hands. */
  void ended() {
    Custody byCustody = custody;
    try {
      if (byCustody != null) {
        byCustody.ended(written);
      }
      afterwards.run();
    } catch (Throwable e) { // concerns none of the others that ended with it
      LOG.log(Level.ERROR, "the end of an event could not be followed", e);
    }
  }

  /** The event never came into these hands, and nobody is to be told of its end. */
  void refused() {
    custody = null;
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
