package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.internal.RepeatingTask;
import outbox.internal.SafeLogger;
import outbox.spi.Claim;
import outbox.spi.OutboxStore;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/**
 * Renews the claims of all events that wait or are being delivered here, so that they stay ours for
 * as long as that takes. An event that ends before its claim is ageing costs nothing.
 */
final class LeaseKeeper implements AutoCloseable {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);
  private static final int CHECKS_PER_TIMEOUT = 6;
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

  private final InFlight inFlight;
  private final Completer completer;
  private final OutboxStore store;
  private volatile Runnable also = () -> {};
  private volatile @Nullable Claim kept;
  private @Nullable RepeatingTask task;
  private boolean closed;

  LeaseKeeper(InFlight inFlight, Completer completer, OutboxStore store) {
    this.inFlight = inFlight;
    this.completer = completer;
    this.store = store;
  }

  /** Has this done each time, too. */
  void also(Runnable newAlso) {
    also = newAlso;
  }

  /** Starts once, for claims like this one; without any, or after close, it has no effect. */
  synchronized void start(@Nullable Claim claim) {
    if (claim == null || closed || task != null) {
      return;
    }
    kept = claim;
    warnOfWorthlessClaims(claim.timeout());
    Duration pause = pauseFor(claim.timeout());
    task =
        new RepeatingTask(
            "leases",
            () -> {
              renewAgeing();
              also.run();
              return pause;
            },
            pause);
    task.start();
  }

  /**
   * False while renewals wait behind a write that takes so long that what is claimed now may be
   * lost before its turn comes. Without claims there is nothing to lose.
   */
  boolean areKept() {
    Claim claim = kept;
    return claim == null || !completer.isTooSlowFor(claim);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (task != null) {
      task.close();
    }
  }

  /** It may be enough for whoever has just one node, so that it is not refused. */
  private void warnOfWorthlessClaims(Duration timeout) {
    if (!store.settlesExactly()) {
      LOG.log(
          Level.WARNING,
          () ->
              "claims are neither fenced nor renewed, so that other nodes may deliver what is in hand for longer than %s, and both write its status; override settle and settlesExactly in %s, or let just one node deliver"
                  .formatted(timeout, store.getClass().getName()));
    }
  }

  private static Duration pauseFor(Duration timeout) {
    Duration pause = timeout.dividedBy(CHECKS_PER_TIMEOUT);
    if (pause.compareTo(SHORTEST_PAUSE) < 0) {
      return SHORTEST_PAUSE;
    }
    return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
  }

  /** With one claim for all, so that one statement renews them, if the store can. */
  private void renewAgeing() {
    if (!store.settlesExactly()) {
      return;
    }
    Map<String, Claim> renewed = new HashMap<>();
    List<Completion> ageing = new ArrayList<>();
    inFlight
        .deliveries()
        .forEach(
            delivery -> {
              Lease lease = delivery.lease();
              Claim claim = lease == null ? null : lease.claim();
              if (lease != null && claim != null && lease.isAgeing()) {
                Claim next =
                    renewed.computeIfAbsent(claim.ownerId(), owner -> claim.renewed(store.clock()));
                ageing.add(new Completion(delivery, new Outcome.Kept(next)));
              }
            });
    if (!ageing.isEmpty()) {
      completer.renew(ageing);
    }
  }
}
