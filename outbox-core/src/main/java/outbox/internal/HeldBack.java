package outbox.internal;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import outbox.EventEnvelope;

/** Tells events that wait for a time of their own from those that are delivered at once. */
public final class HeldBack {

  private HeldBack() {}

  /** Mostly the list itself, for few events wait. */
  public static List<EventEnvelope> without(List<EventEnvelope> events) {
    return any(events) ? events.stream().filter(event -> !isHeldBack(event)).toList() : events;
  }

  public static List<EventEnvelope> only(List<EventEnvelope> events) {
    return any(events) ? events.stream().filter(HeldBack::isHeldBack).toList() : List.of();
  }

  /** The times that the events wait for. */
  public static Set<Instant> dueTimes(List<EventEnvelope> events) {
    if (!any(events)) {
      return Set.of();
    }
    Set<Instant> times = new LinkedHashSet<>();
    only(events).forEach(event -> times.add(Objects.requireNonNull(event.availableAt())));
    return times;
  }

  private static boolean any(List<EventEnvelope> events) {
    for (EventEnvelope event : events) {
      if (isHeldBack(event)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHeldBack(EventEnvelope event) {
    return event.availableAt() != null;
  }
}
