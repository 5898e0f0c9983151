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
   * Several aggregates at once, in the order in which they came. Where the read has to begin below
   * what they miss, it is for few of them: one for many might never get beyond what is others'.
   */
  static Refill of(List<Lane> lanes, long settled, long upTo) {
    if (lanes.size() <= MOST_KEYS) {
      return from(lowest(lanes), lanes, settled, upTo);
    }
    long first = lanes.get(0).missingFrom();
    return first - 1 > settled
        ? of(lanes.subList(0, MOST_KEYS), settled, upTo)
        : from(first, notBelow(first, lanes), settled, upTo);
  }

  /**
   * Whoever waits for longest is read for, and those behind it along the way: from the lowest on,
   * aggregates that come again and again there would keep all others waiting.
   */
  private static List<Lane> notBelow(long first, List<Lane> lanes) {
    return lanes.stream().filter(lane -> lane.missingFrom() >= first).toList();
  }

  private static Refill from(long from, List<Lane> lanes, long settled, long upTo) {
    return new Refill(lanes, Math.min(from - 1, settled), upTo);
  }

  private static long lowest(List<Lane> lanes) {
    return lanes.stream().mapToLong(Lane::missingFrom).min().orElseThrow();
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
