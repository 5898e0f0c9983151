package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import outbox.EventEnvelope;
import outbox.internal.SafeLogger;
import outbox.poller.OutboxPoller;
import outbox.spi.Claim;
import outbox.util.Nullable;

/** The poller that feeds this dispatcher, once there is one. */
final class AttachedPoller {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  private final AtomicReference<@Nullable OutboxPoller> poller = new AtomicReference<>();

  void attach(OutboxPoller attached) {
    poller.set(attached);
  }

  void wake() {
    OutboxPoller attached = poller.get();
    if (attached != null) {
      attached.wake();
    }
  }

  void wakeAt(Instant due) {
    OutboxPoller attached = poller.get();
    if (attached != null) {
      attached.wakeAt(due);
    }
  }

  /** Null without a poller, or with one that claims nothing. */
  @Nullable
  Claim newClaim() {
    OutboxPoller attached = poller.get();
    return attached == null ? null : attached.newClaim();
  }

  /** False if the poller leaves the event to others. */
  boolean takes(EventEnvelope event) {
    OutboxPoller attached = poller.get();
    try {
      return attached == null || attached.takes(event);
    } catch (Throwable e) {
      LOG.log(Level.ERROR, () -> "event filter failed; the event is left to polls: " + event, e);
      return false;
    }
  }
}
