package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import outbox.spi.Claim;
import outbox.util.Nullable;

/**
 * The events in this dispatcher's hands, each held once, whatever the user's tracker does.
 *
 * <p>A hold ends after the event's status is written, so the poller can meet an event on either
 * side of that moment. If it fetched the row after the write and offers it before the hold ends,
 * the offer is kept and takes its turn when the hold ends. If it fetched the row before the write
 * and offers it after the hold ended, the offer is stale; that is what is remembered of each event
 * that ends during a poll. Both are told apart by their attempts: every retry has one more.
 *
 * <p>The poller can also be faster than the thread that has just committed, so an event is
 * announced before its commit, and whoever comes second finds that it was taken.
 */
final class InFlight {

  private static final Logger LOG = System.getLogger(InFlight.class.getName());

  private final InFlightTracker tracker;
  private final Consumer<Delivery> takesItsTurn;
  private final ConcurrentMap<String, TrackedHold> held = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Integer> ended = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Boolean> announced = new ConcurrentHashMap<>();
  private volatile boolean polling;

  InFlight(InFlightTracker tracker, Consumer<Delivery> takesItsTurn) {
    this.tracker = tracker;
    this.takesItsTurn = takesItsTurn;
  }

  /** Null if the event is in flight already. */
  @Nullable
  Delivery hold(QueuedEvent event, @Nullable Claim claim) {
    InFlightTracker.Hold hold = tracker.acquire(event.envelope().eventId());
    if (hold == null) {
      return null;
    }
    TrackedHold tracked = new TrackedHold(event, hold);
    held.put(event.envelope().eventId(), tracked);
    return new Delivery(event, tracked, claim);
  }

  /** Like hold for what a poll fetched: an event that is in flight now may have its turn after. */
  @Nullable
  Delivery holdFetched(QueuedEvent event, @Nullable Claim claim) {
    announced.replace(event.envelope().eventId(), true);
    Delivery delivery = hold(event, claim);
    if (delivery != null) {
      return delivery;
    }
    TrackedHold current = held.get(event.envelope().eventId());
    boolean waits = current == null || current.isFollowedBy(new Delivery(event, Hold.NONE, claim));
    return waits ? null : hold(event, claim);
  }

  /** The event is about to be committed and comes straight from there. */
  void announce(String eventId) {
    announced.put(eventId, false);
  }

  /** True if the poller has met an announced event already; ends the announcement. */
  boolean wasTaken(String eventId) {
    return Boolean.TRUE.equals(announced.remove(eventId));
  }

  /** True if the event has ended since it was fetched. */
  boolean isStale(QueuedEvent event) {
    return event.attempts() < ended.getOrDefault(event.envelope().eventId(), 0);
  }

  /** From now on a poll may fetch what ends before it is offered. */
  void pollStarts() {
    ended.clear();
    polling = true;
  }

  void pollEnds() {
    polling = false;
    ended.clear();
  }

  /** The right to work on one event; ends once, in one of two ways. */
  interface Hold {

    /** For events that nobody tracks, because they only pass through. */
    Hold NONE =
        new Hold() {
          @Override
          public void tried() {}

          @Override
          public void untried() {}

          @Override
          public boolean isCurrent() {
            return true;
          }
        };

    /** The outcome of a try is written, or never will be. */
    void tried();

    /** The event was not handed over, and whoever else has it may do that. */
    void untried();

    boolean isCurrent();
  }

  private final class TrackedHold implements Hold {

    private final QueuedEvent event;
    private final InFlightTracker.Hold hold;
    private final AtomicBoolean released = new AtomicBoolean();

    // Guarded by this.
    private @Nullable Delivery next;
    private boolean ended;

    TrackedHold(QueuedEvent event, InFlightTracker.Hold hold) {
      this.event = event;
      this.hold = hold;
    }

    /** False if this hold has ended, so that there is nothing to wait for. */
    synchronized boolean isFollowedBy(Delivery delivery) {
      next = delivery;
      return !ended;
    }

    @Override
    public void tried() {
      release(event.attempts() + 1);
    }

    @Override
    public void untried() {
      release(event.attempts());
    }

    @Override
    public boolean isCurrent() {
      return hold.isCurrent();
    }

    /** What was fetched with fewer attempts was fetched too early. */
    private void release(int fewestAttempts) {
      if (!released.compareAndSet(false, true)) {
        return;
      }
      String eventId = event.envelope().eventId();
      if (polling) {
        InFlight.this.ended.merge(eventId, fewestAttempts, Math::max);
      }
      try {
        hold.release();
      } catch (Throwable e) {
        LOG.log(Level.ERROR, () -> "in-flight tracker failed to release event " + eventId, e);
      }
      held.remove(eventId, this);
      Delivery follower = end();
      if (follower != null && follower.event().attempts() >= fewestAttempts) {
        takesItsTurn.accept(follower);
      }
    }

    private synchronized @Nullable Delivery end() {
      ended = true;
      return next;
    }
  }
}
