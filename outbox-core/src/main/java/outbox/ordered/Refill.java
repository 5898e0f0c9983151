package outbox.ordered;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import outbox.model.EventKey;

/** Lanes whose next events are in the database and have to be read again. */
record Refill(List<Lane> lanes, long after, long upTo) {

  /** Several aggregates at once. */
  static Refill of(List<Lane> lanes, long settled, long upTo) {
    long lowest = lanes.stream().mapToLong(Lane::missingFrom).min().orElseThrow();
    return new Refill(lanes, Math.min(lowest - 1, settled), upTo);
  }

  /** One event without aggregate. */
  static Refill of(Lane lane) {
    return new Refill(List.of(lane), lane.missingFrom() - 1, lane.missingFrom());
  }

  Set<EventKey> keys() {
    return lanes.stream().map(Lane::key).filter(Objects::nonNull).collect(Collectors.toSet());
  }
}
