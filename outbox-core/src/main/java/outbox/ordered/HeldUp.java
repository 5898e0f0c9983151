package outbox.ordered;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import outbox.EventEnvelope;

/**
 * Which kinds of events are held up: their listener would do no more with them than put them off.
 * It is known as of a moment ago, because listeners and their registry are the user's, and are
 * asked by whoever reads, not under the lock of {@link Lanes}. Safe for all threads.
 */
final class HeldUp {

  /** Where there are more, what is beyond is handed over, and put off if need be. */
  private static final int MOST_KINDS = 1000;

  private final Set<Kind> known = ConcurrentHashMap.newKeySet();
  private volatile Set<Kind> heldUp = Set.of();
  private volatile BiPredicate<String, String> isHeldUp = (aggregateType, eventType) -> false;

  /** Events that go to one listener; others may go there, too. */
  record Kind(String aggregateType, String eventType) {

    static Kind of(Entry entry) {
      EventEnvelope event = entry.event().envelope();
      return new Kind(event.aggregateType(), event.eventType());
    }
  }

  /**
   * @param isHeldUp to be asked with aggregate type and event type
   */
  void start(BiPredicate<String, String> isHeldUp) {
    this.isHeldUp = isHeldUp;
  }

  boolean contains(Kind kind) {
    return heldUp.contains(kind);
  }

  /** An event was read; if none of its kind was before, asks about it from now on. */
  void meets(Kind kind) {
    if (!known.contains(kind) && known.size() < MOST_KINDS) {
      known.add(kind);
      ask();
    }
  }

  /** Asks about every kind that was met. */
  void ask() {
    heldUp =
        known.stream()
            .filter(kind -> isHeldUp.test(kind.aggregateType(), kind.eventType()))
            .collect(Collectors.toUnmodifiableSet());
  }
}
