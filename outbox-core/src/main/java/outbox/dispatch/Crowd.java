package outbox.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.model.EventKind;
import outbox.poller.Demand;

/**
 * Counts the events of each kind that wait in a queue, so that one whose listener doesn't get on
 * leaves room for the others: nobody fetches more of a kind once as many of it wait as would still
 * fit. With one such kind half of the room is left, with two of them a third.
 *
 * <p>A kind that is merely busy has some room again within a moment. So it is held back, which
 * means that others are searched for behind it in the table, only if it stays crowded for longer.
 *
 * <p>Guarded by the lock of {@link FairQueue}.
 */
final class Crowd {

  private static final long MOMENT_NANOS = Duration.ofMillis(100).toNanos();

  /** Names of kinds may be made up as one goes. */
  private static final int MOST_KINDS = 1000;

  private final int capacity;
  private final Map<EventKind, Line> lines = new HashMap<>();
  private final List<Line> heldBack = new ArrayList<>();
  private int waiting;
  private int bound;
  private boolean severalSeen;

  /** The events of one kind. */
  private static final class Line {

    private int waiting;
    private boolean isCrowded;
    private boolean isHeldBack;
    private long sinceNanos;

    boolean isIdle() {
      return waiting == 0 && !isCrowded;
    }
  }

  Crowd(int capacity) {
    this.capacity = capacity;
    bound = capacity;
  }

  /** So many more, or fewer, wait; true if a kind that was held back has room again. */
  boolean count(EventKind kind, int events) {
    lineOf(kind).waiting += events;
    waiting += events;
    return events < 0 && !heldBack.isEmpty() && letGo();
  }

  /** Whether there is no more room for the kind beside the others, which may be still to come. */
  boolean isCrowded(EventKind kind, boolean several) {
    Line line = lines.get(kind);
    return (several || severalSeen)
        && line != null
        && line.waiting > 0
        && line.waiting >= capacity - waiting;
  }

  /**
   * What to fetch.
   *
   * @param several whether there may be more kinds than were seen so far
   * @param mostUnfinished how many events may wait, but for those that are held back
   */
  Demand demand(boolean several, int mostUnfinished, long nowNanos) {
    int room = Math.max(0, capacity - waiting);
    if (!several && !severalSeen) {
      return Demand.of(room);
    }
    bound = Math.min(capacity, mostUnfinished);
    Set<EventKind> except = new HashSet<>();
    int held = 0;
    int longest = 0;
    for (Map.Entry<EventKind, Line> entry : lines.entrySet()) {
      Line line = entry.getValue();
      judge(line, nowNanos);
      if (line.isHeldBack) {
        except.add(entry.getKey());
        held += line.waiting;
      } else {
        longest = Math.max(longest, line.waiting);
      }
    }
    int usual = Math.max(0, Math.min(capacity - held, bound));
    int left = Math.min(room, usual - (waiting - held));
    return new Demand(half(left - longest), half(usual), except, held);
  }

  private static int half(int events) {
    return Math.max(0, events / 2 + events % 2);
  }

  private void judge(Line line, long nowNanos) {
    if (hasRoom(line)) {
      letGo(line);
    } else if (!line.isCrowded && isCrowded(line)) {
      line.isCrowded = true;
      line.sinceNanos = nowNanos;
    }
    boolean isStuck = line.isCrowded && nowNanos - line.sinceNanos >= MOMENT_NANOS;
    if (isStuck && !line.isHeldBack) {
      line.isHeldBack = true;
      heldBack.add(line);
    }
  }

  /** A little before nothing more of it is fetched: that point is approached and never reached. */
  private boolean isCrowded(Line line) {
    return 4L * line.waiting >= 3L * (bound - waiting);
  }

  private boolean hasRoom(Line line) {
    return line.waiting == 0 || 2L * line.waiting <= bound - waiting;
  }

  private boolean letGo() {
    List<Line> roomy = heldBack.stream().filter(this::hasRoom).toList();
    roomy.forEach(this::letGo);
    return !roomy.isEmpty();
  }

  private void letGo(Line line) {
    line.isCrowded = false;
    if (line.isHeldBack) {
      line.isHeldBack = false;
      heldBack.remove(line);
    }
  }

  private Line lineOf(EventKind kind) {
    Line line = lines.get(kind);
    if (line == null) {
      if (lines.size() >= MOST_KINDS) {
        lines.values().removeIf(Line::isIdle);
      }
      line = new Line();
      lines.put(kind, line);
      severalSeen = severalSeen || lines.size() > 1;
    }
    return line;
  }
}
