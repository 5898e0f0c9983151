package outbox.dispatch;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import outbox.internal.RepeatingTask;
import outbox.spi.Claim;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/**
 * Renews the claims of all events that wait or are being delivered here, so that they stay ours for
 * as long as that takes. An event that ends within a third of the timeout costs nothing.
 */
final class LeaseKeeper implements AutoCloseable {

  private static final int CHECKS_PER_TIMEOUT = 6;

  private final InFlight inFlight;
  private final Completer completer;
  private final Clock clock;
  private final AtomicReference<@Nullable RepeatingTask> task = new AtomicReference<>();

  LeaseKeeper(InFlight inFlight, Completer completer, Clock clock) {
    this.inFlight = inFlight;
    this.completer = completer;
    this.clock = clock;
  }

  /** Starts once, for claims with this timeout. */
  void start(Duration timeout) {
    Duration pause = timeout.dividedBy(CHECKS_PER_TIMEOUT);
    RepeatingTask keeping =
        new RepeatingTask(
            "leases",
            () -> {
              renewAgeing();
              return pause;
            },
            pause);
    if (task.compareAndSet(null, keeping)) {
      keeping.start();
    }
  }

  @Override
  public void close() {
    RepeatingTask keeping = task.get();
    if (keeping != null) {
      keeping.close();
    }
  }

  /** With one claim for all, so that one statement renews them. */
  private void renewAgeing() {
    Map<String, Claim> renewed = new HashMap<>();
    List<Completion> ageing = new ArrayList<>();
    inFlight
        .deliveries()
        .forEach(
            delivery -> {
              Lease lease = delivery.lease();
              if (lease != null && !lease.isLost() && lease.claim().isAgeing()) {
                Claim claim = lease.claim();
                Claim next =
                    renewed.computeIfAbsent(claim.ownerId(), owner -> claim.renewed(clock));
                ageing.add(new Completion(delivery, new Outcome.Kept(next)));
              }
            });
    if (!ageing.isEmpty()) {
      completer.renew(ageing);
    }
  }
}
