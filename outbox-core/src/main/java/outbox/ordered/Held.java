package outbox.ordered;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import outbox.model.EventKind;
import outbox.util.Nullable;

/**
 * The lanes whose first event would only take the dispatcher's room from events of other kinds.
 * Guarded by the lock of {@link Lanes}.
 */
final class Held {

  /** What is merely busy gets on before. */
  static final Duration MOMENT = Duration.ofMillis(100);

  private final Map<EventKind, Line> lines = new LinkedHashMap<>();

  /** Those that wait for one kind. */
  private static final class Line {

    private final Deque<Lane> lanes = new ArrayDeque<>();
    private final long sinceNanos = System.nanoTime();

    boolean isStuck() {
      return System.nanoTime() - sinceNanos >= MOMENT.toNanos();
    }
  }

  void add(EventKind kind, Lane lane) {
    lines.computeIfAbsent(kind, key -> new Line()).lanes.addLast(lane);
  }

  /** The next lane of a kind that is held back no more; null if there is none. */
  @Nullable
  Lane poll(Predicate<EventKind> isHeldBack) {
    for (Iterator<Map.Entry<EventKind, Line>> all = lines.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<EventKind, Line> entry = all.next();
      if (!isHeldBack.test(entry.getKey())) {
        Deque<Lane> lanes = entry.getValue().lanes;
        Lane next = lanes.removeFirst();
        if (lanes.isEmpty()) {
          all.remove();
        }
        return next;
      }
    }
    return null;
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Whether lanes have waited for the kind for so long that it gets nowhere. */
  boolean isStuck(EventKind kind) {
    Line line = lines.get(kind);
    return line != null && line.isStuck();
  }

  /** Those that have waited for so long that their events had better not keep memory. */
  List<Lane> stuck() {
    return lines.values().stream()
        .filter(Line::isStuck)
        .flatMap(line -> line.lanes.stream())
        .toList();
  }
}
