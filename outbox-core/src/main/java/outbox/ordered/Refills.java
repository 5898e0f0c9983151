package outbox.ordered;

import java.util.ArrayList;
import java.util.Collection;
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
  private final int mostKeys;
  private boolean isLowestsTurn;

  /**
   * @param mostKeys how many aggregates are read for by their keys
   */
  Refills(int mostKeys) {
    this.mostKeys = mostKeys;
  }

  void add(Lane lane) {
    lanes.add(lane);
  }

  void remove(Lane lane) {
    lanes.remove(lane);
  }

  /**
   * Several aggregates, or one event without; null if there is nothing to read again.
   *
   * @param underWay others, which are read for along the way, so that they are not behind next time
   */
  @Nullable
  Refill next(Collection<Lane> underWay, long settled, long upTo) {
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
    return asked.isEmpty() ? null : next(asked, underWay, settled, upTo);
  }

  /**
   * From the lowest on, by which those that are behind catch up with the others, and every other
   * time for who waits for longest: aggregates that come again and again below would keep all
   * others waiting. Where the read would have to begin below what they miss, it is for few: it
   * might never get beyond what is others'.
   */
  private Refill next(List<Lane> asked, Collection<Lane> underWay, long settled, long upTo) {
    Set<Lane> all = new LinkedHashSet<>(asked);
    underWay.stream().filter(Lane::isReadAlong).forEach(all::add);
    isLowestsTurn = !isLowestsTurn;
    long first = isLowestsTurn ? Refill.lowest(asked) : asked.get(0).missingFrom();
    return all.size() <= mostKeys || first - 1 > settled
        ? Refill.of(asked.subList(0, Math.min(mostKeys, asked.size())), settled, upTo)
        : Refill.together(first, all, upTo);
  }
}
