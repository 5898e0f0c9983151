package outbox.ordered;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The lanes whose next event is of a kind that is {@linkplain HeldUp held up}. They are neither
 * read nor written, however many they are and however long it takes. When nothing holds up their
 * kind any more, a few are let go, and the more the better these get on: a destination that is only
 * tried again, and stays away, is not run over. Guarded by the lock of {@link Lanes}.
 */
final class Standby {

  private static final int FEW = 10;
  private static final int MANY = 1000;

  /** What takes longer to get somewhere holds up the others no more: the listener takes it. */
  private static final Duration LONG = Duration.ofSeconds(5);

  private final Map<HeldUp.Kind, Group> groups = new HashMap<>();
  private final Map<Lane, HeldUp.Kind> kinds = new HashMap<>();
  private final LongSupplier nanoTime;

  /** The lanes of one kind. */
  private static final class Group {
    final Set<Lane> waiting = new LinkedHashSet<>();

    /** Those that were let go and have not got anywhere yet. */
    final Set<Lane> tried = new HashSet<>();

    int allowed = FEW;
    int triedAtFirst;
    long releasedNanos;

    /** Whether half of them have got somewhere. */
    boolean isGettingOn() {
      return 2 * tried.size() <= triedAtFirst;
    }

    /** Whatever those that were let go have got to, it was not the listener; fewer may go next. */
    void isHeldUp() {
      allowed = triedAtFirst == 0 ? allowed : Math.max(FEW, allowed / 2);
      triedAtFirst = 0;
    }

    List<Lane> release(long nanos) {
      allowed = triedAtFirst == 0 ? allowed : Math.min(MANY, 2 * allowed);
      List<Lane> next = waiting.stream().limit(Math.max(0, allowed - tried.size())).toList();
      next.forEach(waiting::remove);
      tried.addAll(next);
      triedAtFirst = tried.size();
      releasedNanos = nanos;
      return next;
    }
  }

  Standby(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether no lane waits here, nor was let go a moment ago. */
  boolean isEmpty() {
    return kinds.isEmpty();
  }

  /** The lane waits for this kind to be taken, until it is let go or removed. */
  void add(Lane lane, HeldUp.Kind kind) {
    remove(lane);
    kinds.put(lane, kind);
    groups.computeIfAbsent(kind, first -> new Group()).waiting.add(lane);
  }

  /**
   * The lane has got somewhere, something else is decided about it, or it is not ours any more.
   * True if more can follow now, because by this half of those that were let go have got somewhere.
   */
  boolean remove(Lane lane) {
    HeldUp.Kind kind = kinds.remove(lane);
    Group group = kind == null ? null : groups.get(kind);
    if (group == null) {
      return false;
    }
    boolean gotOn = group.isGettingOn();
    group.waiting.remove(lane);
    group.tried.remove(lane);
    if (group.waiting.isEmpty() && group.tried.isEmpty()) {
      groups.remove(kind);
    }
    return !gotOn && group.isGettingOn() && !group.waiting.isEmpty();
  }

  /** Some of those that nothing holds up any more; they wait no more. */
  List<Lane> release(HeldUp heldUp) {
    List<Lane> released = new ArrayList<>();
    groups.forEach(
        (kind, group) -> {
          if (heldUp.contains(kind)) {
            group.isHeldUp();
          } else {
            released.addAll(release(group));
          }
        });
    released.forEach(lane -> lane.waitFor(null));
    return released;
  }

  private List<Lane> release(Group group) {
    long now = nanoTime.getAsLong();
    if (!group.isGettingOn()) {
      if (now - group.releasedNanos < LONG.toNanos()) {
        return List.of();
      }
      kinds.keySet().removeAll(group.tried);
      group.tried.clear();
    }
    return group.release(now);
  }
}
