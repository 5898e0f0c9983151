package outbox.ordered;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import outbox.util.Nullable;

/**
 * The lanes whose next event has to be read again, until it was: a read that fails leaves them
 * here. Guarded by the lock of {@link Lanes}.
 */
final class Refills {

  private static final int MOST_AT_ONCE = 10_000;

  private final Set<Lane> lanes = new LinkedHashSet<>();

  void add(Lane lane) {
    lanes.add(lane);
  }

  void remove(Lane lane) {
    lanes.remove(lane);
  }

  /** Several aggregates, or one event without; null if there is nothing to read again. */
  @Nullable
  Refill next(long settled, long upTo) {
    List<Lane> asked = new ArrayList<>();
    for (Iterator<Lane> all = lanes.iterator(); all.hasNext() && asked.size() < MOST_AT_ONCE; ) {
      Lane lane = all.next();
      if (!lane.isToBeRefilled()) {
        all.remove();
      } else if (lane.key() != null) {
        lane.missesUnseen();
        asked.add(lane);
      } else if (asked.isEmpty()) {
        return Refill.of(lane);
      }
    }
    return asked.isEmpty() ? null : Refill.of(asked, settled, upTo);
  }
}
