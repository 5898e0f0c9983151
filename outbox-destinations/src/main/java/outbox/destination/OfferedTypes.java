package outbox.destination;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.internal.Require;

/**
 * Tells which event types have a destination that takes events now. Writers ask for every event, so
 * the answer for each set of destinations is kept.
 */
final class OfferedTypes {

  private static final int MOST_ANSWERS = 1024;

  private final List<GuardedDestination> destinations;
  private final @Nullable Set<String> known;
  private final Function<String, List<Set<GuardedDestination>>> possible;
  private final Map<Long, Optional<Set<String>>> answers = new ConcurrentHashMap<>();

  /**
   * @param known all types but those of copies; null if nobody can tell
   * @param possible where events of a type can go, for each aggregate type on its own
   */
  OfferedTypes(
      List<GuardedDestination> destinations,
      @Nullable Set<String> known,
      Function<String, List<Set<GuardedDestination>>> possible) {
    Require.check(
        destinations.size() <= Long.SIZE,
        "destinations",
        "at most " + Long.SIZE,
        destinations.size());
    this.destinations = destinations;
    this.known = known;
    this.possible = possible;
  }

  Optional<Set<String>> now() {
    if (known == null) {
      return Optional.empty();
    }
    long taking = 0;
    for (int i = 0; i < destinations.size(); i++) {
      taking |= destinations.get(i).isTaking() ? 1L << i : 0;
    }
    Optional<Set<String>> answer = answers.get(taking);
    if (answer == null) {
      answer = Optional.of(offered(known, taking));
      if (answers.size() < MOST_ANSWERS) {
        answers.put(taking, answer);
      }
    }
    return answer;
  }

  /** An event that is only copied needs none of its destinations. */
  private Set<String> offered(Set<String> types, long taking) {
    Set<GuardedDestination> away = new HashSet<>();
    Set<String> offered = new HashSet<>();
    for (int i = 0; i < destinations.size(); i++) {
      GuardedDestination destination = destinations.get(i);
      if ((taking & 1L << i) == 0) {
        away.add(destination);
      } else {
        offered.add(Copy.type(destination.name()));
      }
    }
    for (String type : types) {
      if (possible.apply(type).stream()
          .anyMatch(ends -> ends.size() > 1 || !away.containsAll(ends))) {
        offered.add(type);
      }
    }
    return Set.copyOf(offered);
  }
}
