package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import outbox.internal.SafeLogger;
import outbox.spi.Claim;
import outbox.spi.MetricsExporter;
import outbox.util.Nullable;

/** Takes events into this dispatcher's hands, each once, as far as there is room. */
final class Intake {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  private final InFlight inFlight;
  private final FairQueue queue;
  private final MetricsExporter metrics;

  Intake(InFlight inFlight, FairQueue queue, MetricsExporter metrics) {
    this.inFlight = inFlight;
    this.queue = queue;
    this.metrics = metrics;
  }

  /** True if the event is in these hands now, or was already. */
  boolean take(QueuedEvent event) {
    return unlessTrackerFails(event, () -> offer(event, inFlight.hold(event, null)));
  }

  /** Like take for an event that has just been committed here. */
  boolean takeCommitted(QueuedEvent event, @Nullable Claim claim, Object writer) {
    return unlessTrackerFails(
        event,
        () -> {
          Lease lease = claim == null ? null : new Lease(claim, false);
          Delivery delivery = inFlight.hold(event, lease);
          return offer(event, delivery, inFlight.wasTaken(event.envelope().eventId(), writer));
        });
  }

  /** Like take for an event that the poller fetched, which may be late or early. */
  boolean takeFetched(QueuedEvent event, @Nullable Lease lease, @Nullable Instant lateSince) {
    return unlessTrackerFails(
        event,
        () -> {
          Delivery delivery = inFlight.holdFetched(event, lease, lateSince);
          boolean takesItsTurn = delivery == null && lease != null;
          return takesItsTurn || offer(event, delivery, inFlight.isStale(event));
        });
  }

  /** For an event whose end somebody waits for; false if it is in these hands already. */
  boolean takeFollowed(QueuedEvent event, Lease lease) {
    return unlessTrackerFails(
        event,
        () -> {
          Delivery delivery = inFlight.hold(event, lease, lease.lateSince());
          return delivery != null && offer(event, delivery);
        });
  }

  /** Whether at least half of the room for such events is taken, in places or in bytes. */
  boolean isCrowdedFor(Delivery delivery) {
    return queue.isHalfFull(delivery.isHot()) || inFlight.isHalfFull();
  }

  void recordDepths() {
    if (metrics != MetricsExporter.NOOP) {
      metrics.recordQueueDepths(queue.hotDepth(), queue.coldDepth());
    }
  }

  /** What is overtaken has been in these hands since, and is let go. */
  private boolean offer(QueuedEvent event, @Nullable Delivery delivery, boolean overtaken) {
    if (delivery != null && overtaken) {
      delivery.hold().untried();
      return true;
    }
    return offer(event, delivery);
  }

  private boolean offer(QueuedEvent event, @Nullable Delivery delivery) {
    boolean isHot = event.source() == QueuedEvent.Source.HOT;
    if (delivery == null) {
      return queue.hasRoom(isHot);
    }
    if (!delivery.hold().fits() || !queue.offer(delivery)) {
      refuse(delivery);
      return false;
    }
    if (isHot) {
      metrics.incrementHotEnqueued();
    } else {
      metrics.incrementColdEnqueued();
    }
    recordDepths();
    return true;
  }

  private static void refuse(Delivery delivery) {
    Lease lease = delivery.lease();
    if (lease != null) {
      lease.refused();
    }
    delivery.hold().untried();
  }

  private static boolean unlessTrackerFails(QueuedEvent event, BooleanSupplier take) {
    try {
      return take.getAsBoolean();
    } catch (Throwable e) {
      LOG.log(
          Level.ERROR, () -> "in-flight tracker failed; not queued now: " + event.envelope(), e);
      return false;
    }
  }
}
