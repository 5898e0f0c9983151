package outbox.ordered;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import outbox.model.EventKey;

/**
 * Lanes whose next events are in the database and have to be read again.
 *
 * @param isByKey whether nothing but their events is read
 */
record Refill(List<Lane> lanes, boolean isByKey, long after, long upTo) {

  /** One event without aggregate. */
  static Refill of(Lane lane) {
    return new Refill(List.of(lane), true, lane.missingFrom() - 1, lane.missingFrom());
  }

  /** Few aggregates. */
  static Refill of(List<Lane> lanes, long settled, long upTo) {
    return new Refill(lanes, true, Math.min(lowest(lanes) - 1, settled), upTo);
  }

  /** Everything from this number on, for all that miss nothing before it. */
  static Refill together(long first, Collection<Lane> lanes, long upTo) {
    List<Lane> notBelow = lanes.stream().filter(lane -> lane.missingFrom() >= first).toList();
    return new Refill(notBelow, false, first - 1, upTo);
  }

  static long lowest(List<Lane> lanes) {
    return lanes.stream().mapToLong(Lane::missingFrom).min().orElseThrow();
  }

  /** Whose events to ask for; empty for everybody's, others' among them. */
  Set<EventKey> keys() {
    return isByKey ? allKeys() : Set.of();
  }

  /** By the ids of their lanes. */
  Set<Object> ids() {
    return lanes.stream().map(Lane::id).collect(Collectors.toSet());
  }

  /**
   * Those that a read up to here says something of; the others' events come later. If there are
   * none, all of them, so that others are asked for first the next time.
   */
  List<Lane> reached(long readUpTo) {
    List<Lane> reached = lanes.stream().filter(lane -> lane.missingFrom() <= readUpTo).toList();
    return readUpTo >= upTo || reached.isEmpty() ? lanes : reached;
  }

  private Set<EventKey> allKeys() {
    return lanes.stream().map(Lane::key).filter(Objects::nonNull).collect(Collectors.toSet());
  }
}
