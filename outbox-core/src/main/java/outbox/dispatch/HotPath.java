package outbox.dispatch;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import outbox.EventEnvelope;
import outbox.spi.Claim;
import outbox.util.Nullable;

/** What a dispatcher does for events that are being written in this process. */
final class HotPath {

  private final Intake intake;
  private final InFlight inFlight;
  private final HotRoom room;
  private final LeaseKeeper leases;
  private final AttachedPoller poller;
  private final Overflow overflow;

  HotPath(
      Intake intake,
      InFlight inFlight,
      HotRoom room,
      LeaseKeeper leases,
      AttachedPoller poller,
      Overflow overflow) {
    this.intake = intake;
    this.inFlight = inFlight;
    this.room = room;
    this.leases = leases;
    this.poller = poller;
    this.overflow = overflow;
  }

  /** For events about to be written, with room that is to be given back; null without either. */
  @Nullable
  Claim newClaim(List<EventEnvelope> events) {
    Claim claim = leases.areKept() ? poller.newClaim() : null;
    return claim != null && room.reserve(claim, events) ? claim : null;
  }

  /** Whether events in the table go to the node that claims them first. */
  boolean claimsEvents() {
    return poller.newClaim() != null;
  }

  /** How many of these events may be kept until their commit, under no claim. */
  int reserveToKeep(Object holder, List<EventEnvelope> events) {
    return claimsEvents() ? 0 : room.reserveToKeep(holder, events);
  }

  void giveRoomBack(Object holder) {
    room.giveBack(holder);
  }

  /** The events come straight after their writer's commit, unless the poller comes first. */
  void announce(List<EventEnvelope> events, Object writer) {
    events.forEach(event -> inFlight.announce(event.eventId(), writer));
  }

  void forget(List<EventEnvelope> events, Object writer) {
    events.forEach(event -> inFlight.wasTaken(event.eventId(), writer));
  }

  boolean enqueueCommitted(QueuedEvent event, @Nullable Claim claim, Object writer) {
    return intake.takeCommitted(event, claim, writer);
  }

  void leaveToPoller(List<QueuedEvent> events, @Nullable Claim claim) {
    overflow.leaveToPoller(events, claim);
  }

  void wakePollerAt(Set<Instant> dueTimes) {
    dueTimes.forEach(poller::wakeAt);
  }
}
