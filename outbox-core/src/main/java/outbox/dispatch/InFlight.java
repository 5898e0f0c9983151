package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import outbox.internal.EventSize;
import outbox.internal.SafeLogger;
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

  private static final Logger LOG = SafeLogger.of(InFlight.class);

  private final InFlightTracker tracker;
  private final ByteBudget budget;
  private final Consumer<Delivery> takesItsTurn;
  private final ConcurrentMap<String, TrackedHold> held = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Integer> ended = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Announcement> announced = new ConcurrentHashMap<>();
  private volatile boolean polling;
  private volatile boolean hasNews;

  InFlight(InFlightTracker tracker, ByteBudget budget, Consumer<Delivery> takesItsTurn) {
    this.tracker = tracker;
    this.budget = budget;
    this.takesItsTurn = takesItsTurn;
  }

  /** Null if the event is in flight already. */
  @Nullable
  Delivery hold(QueuedEvent event, @Nullable Lease lease) {
    return hold(event, lease, null);
  }

  /** Likewise for an event that waits since this time; null: since now. */
  @Nullable
  Delivery hold(QueuedEvent event, @Nullable Lease lease, @Nullable Instant lateSince) {
    TrackedHold mine = new TrackedHold(event, lease, lateSince);
    TrackedHold holder =
        held.compute(
            event.envelope().eventId(),
            (eventId, current) -> mine.acquired(eventId) ? mine : current);
    return holder == mine ? mine.delivery : null;
  }

  /** Like hold for what a poll fetched: an event that is in flight now may have its turn after. */
  @Nullable
  Delivery holdFetched(QueuedEvent event, @Nullable Lease lease, @Nullable Instant lateSince) {
    TrackedHold mine = new TrackedHold(event, lease, lateSince);
    TrackedHold holder =
        held.compute(
            event.envelope().eventId(),
            (eventId, current) -> {
              boolean isAnnounced = met(eventId);
              if (mine.acquired(eventId)) {
                hasNews = hasNews || !(isAnnounced || ended.containsKey(eventId));
                return mine;
              }
              return current == null ? null : current.followedBy(event, lease, lateSince);
            });
    return holder == mine ? mine.delivery : null;
  }

  private boolean met(String eventId) {
    return announced.computeIfPresent(eventId, (id, announcement) -> announcement.met()) != null;
  }

  /** What is waiting, being delivered, or about to be written; it may end at any moment. */
  Stream<Delivery> deliveries() {
    return held.values().stream().map(hold -> hold.delivery);
  }

  /** Whether these events take at least half of the bytes that there are for them. */
  boolean isHalfFull() {
    return budget.isHalfUsed();
  }

  int count() {
    return held.size();
  }

  /** The event is about to be committed and comes straight from there, by this writer. */
  void announce(String eventId, Object writer) {
    announced.put(eventId, new Announcement(writer, false));
  }

  /**
   * True if the poller has met the event already that this writer announced; ends the announcement.
   * One that was rolled back may have been followed by another of the same id, which stays.
   */
  boolean wasTaken(String eventId, Object writer) {
    Announcement announcement = announced.get(eventId);
    while (announcement != null && announcement.writer() == writer) {
      if (announced.remove(eventId, announcement)) {
        return announcement.isMet();
      }
      announcement = announced.get(eventId);
    }
    return false;
  }

  /** Who is about to commit an event, and whether the poller was faster. */
  private record Announcement(Object writer, boolean isMet) {

    Announcement met() {
      return new Announcement(writer, true);
    }
  }

  /** True if the event has ended since it was fetched. */
  boolean isStale(QueuedEvent event) {
    return event.attempts() < ended.getOrDefault(event.envelope().eventId(), 0);
  }

  /** From now on a poll may fetch what ends before it is offered. */
  void pollStarts() {
    ended.clear();
    hasNews = false;
    polling = true;
  }

  /**
   * Returns whether the poll met anything that was not here, nor about to come straight from its
   * commit, nor ended since it was fetched.
   */
  boolean pollEnds() {
    polling = false;
    ended.clear();
    return hasNews;
  }

  /** The right to work on one event; ends once, in one of two ways. */
  interface Hold {

    /** For events that nobody tracks, because they only pass through. */
    Hold NONE =
        new Hold() {
          @Override
          public boolean fits() {
            return true;
          }

          @Override
          public void tried() {}

          @Override
          public void untried() {}

          @Override
          public boolean isCurrent() {
            return true;
          }

          @Override
          public boolean isEnded() {
            return false;
          }
        };

    /** Takes the event's part of the byte budget until the hold ends; false if there is none. */
    boolean fits();

    /** The outcome of a try is written, or never will be. */
    void tried();

    /** The event was not handed over, and whoever else has it may do that. */
    void untried();

    boolean isCurrent();

    boolean isEnded();
  }

  /** Changes only while the map's entry for its event is locked. */
  private final class TrackedHold implements Hold {

    private final Delivery delivery;
    private final AtomicBoolean released = new AtomicBoolean();
    private InFlightTracker.@Nullable Hold hold;
    private @Nullable Delivery next;
    private volatile long bytes;

    @SuppressWarnings("this-escape") // only kept until this is complete
    TrackedHold(QueuedEvent event, @Nullable Lease lease, @Nullable Instant lateSince) {
      delivery = new Delivery(event, this, lease, lateSince);
    }

    /** False if the event is held already, here or by whoever shares the tracker. */
    boolean acquired(String eventId) {
      hold = tracker.acquire(eventId);
      return hold != null;
    }

    TrackedHold followedBy(
        QueuedEvent fetched, @Nullable Lease lease, @Nullable Instant lateSince) {
      next = new Delivery(fetched, Hold.NONE, lease, lateSince);
      return this;
    }

    @Override
    public boolean fits() {
      long size = EventSize.of(delivery.envelope());
      if (!budget.tryTake(size)) {
        return false;
      }
      bytes = size;
      return true;
    }

    @Override
    public void tried() {
      release(delivery.event().attempts() + 1);
    }

    @Override
    public void untried() {
      release(delivery.event().attempts());
    }

    @Override
    public boolean isCurrent() {
      return hold != null && hold.isCurrent();
    }

    @Override
    public boolean isEnded() {
      return released.get();
    }

    /** What was fetched with fewer attempts was fetched too early. */
    private void release(int fewestAttempts) {
      if (!released.compareAndSet(false, true)) {
        return;
      }
      budget.giveBack(bytes);
      String eventId = delivery.eventId();
      if (polling) {
        ended.merge(eventId, fewestAttempts, Math::max);
      }
      held.compute(eventId, (id, current) -> end(id, current));
      Lease lease = delivery.lease();
      if (lease != null) {
        lease.ended();
      }
      Delivery follower = next;
      if (follower != null && follower.event().attempts() >= fewestAttempts) {
        takesItsTurn.accept(follower);
      }
    }

    /** Another holds the event if this hold has outlived the tracker's patience. */
    private @Nullable TrackedHold end(String eventId, @Nullable TrackedHold current) {
      try {
        if (hold != null) {
          hold.release();
        }
      } catch (Throwable e) {
        LOG.log(Level.ERROR, () -> "in-flight tracker failed to release event " + eventId, e);
      }
      return current == this ? null : current;
    }
  }
}
