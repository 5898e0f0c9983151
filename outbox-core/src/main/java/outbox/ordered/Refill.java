package outbox.ordered;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import outbox.model.EventKey;

/** Lanes whose next events are in the database and have to be read again. */
record Refill(List<Lane> lanes, long after, long upTo) {

  /** To look for more keys in each row takes a database longer than to send all of them. */
  private static final int MOST_KEYS = 100;

  /**
   * Several aggregates at once. Where the read has to begin below what they miss, it is for few of
   * them: one for many might never get beyond what is others'.
   */
  static Refill of(List<Lane> lanes, long settled, long upTo) {
    long lowest = lanes.stream().mapToLong(Lane::missingFrom).min().orElseThrow();
    boolean areFew = lowest - 1 > settled && lanes.size() > MOST_KEYS;
    return new Refill(
        areFew ? List.copyOf(lanes.subList(0, MOST_KEYS)) : lanes,
        Math.min(lowest - 1, settled),
        upTo);
  }

  /** One event without aggregate. */
  static Refill of(Lane lane) {
    return new Refill(List.of(lane), lane.missingFrom() - 1, lane.missingFrom());
  }

  /** Whose events to ask for; empty for everybody's, others' among them. */
  Set<EventKey> keys() {
    return lanes.size() > MOST_KEYS ? Set.of() : allKeys();
  }

  /** By the ids of their lanes. */
  Set<Object> ids() {
    return lanes.stream().map(Lane::id).collect(Collectors.toSet());
  }

  /** Those that a read up to here says something of; the others' events come later. */
  List<Lane> reached(long readUpTo) {
    return readUpTo >= upTo
        ? lanes
        : lanes.stream().filter(lane -> lane.missingFrom() <= readUpTo).toList();
  }

  private Set<EventKey> allKeys() {
    return lanes.stream().map(Lane::key).filter(Objects::nonNull).collect(Collectors.toSet());
  }
}
