package outbox.destination;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.BatchResult;
import outbox.EventEnvelope;

/** Decides which events may be sent now, and puts off the others. */
final class Admission {

  private final Reachability reachability;
  private final Room room;
  private final @Nullable Quota quota;
  private final Deferral deferral;

  Admission(Reachability reachability, Room room, @Nullable Quota quota, Deferral deferral) {
    this.reachability = reachability;
    this.room = room;
    this.quota = quota;
    this.deferral = deferral;
  }

  /** Those that may be sent have their places in the room, to be given back in the end. */
  List<EventEnvelope> admit(List<EventEnvelope> events, BatchResult result) {
    if (!reachability.tryAcquire()) {
      deferral.putOff(events, result, deferral::whileAway);
      return List.of();
    }
    int wanted = reachability.isUp() ? events.size() : Math.min(Room.PROBE, events.size());
    int fitting = room.take(wanted);
    int granted = quota == null ? fitting : quota.take(fitting);
    room.giveBack(fitting - granted);
    if (fitting < events.size()) {
      deferral.putOff(events.subList(fitting, events.size()), result, deferral::forWantOfRoom);
    }
    if (quota != null && granted < fitting) {
      Duration spread = quota.spread(fitting - granted);
      deferral.putOff(
          events.subList(granted, fitting), result, () -> deferral.within(Quota.within(spread)));
    }
    if (granted == 0) {
      reachability.learnNothing();
    }
    return events.subList(0, granted);
  }
}
