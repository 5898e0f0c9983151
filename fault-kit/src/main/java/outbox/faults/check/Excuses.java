package outbox.faults.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.faults.history.Entry.Call;

/**
 * What may come again because of what a scenario did, said as narrowly as it can. A process that
 * nobody touched has no excuse, whatever it says about its leases.
 */
public final class Excuses {

  private final Map<String, Set<String>> inHands = new HashMap<>();
  private final List<Outage> outages = new ArrayList<>();
  private final Map<String, Integer> lateBeginnings = new HashMap<>();

  private record Outage(Set<String> processes, long from, long to, int most) {

    boolean covers(Call call) {
      return processes.contains(call.process())
          && call.begun() - from >= 0
          && call.begun() - to <= 0;
    }
  }

  /** These events a process had given to its listener, and not written, when it was disturbed. */
  public Excuses inHands(String process, Set<String> ids) {
    inHands.computeIfAbsent(process, name -> new HashSet<>()).addAll(ids);
    return this;
  }

  /**
   * A process stood still: each of so many workers may have seen that an event is its own, and
   * begin with it when it goes on, though somebody else delivered it meanwhile.
   */
  public Excuses stoodStill(String process, int workers) {
    lateBeginnings.merge(process, workers, Integer::sum);
    return this;
  }

  /**
   * These processes could not write what they delivered between those moments, and had at most so
   * many events that this may have happened to. Outages are told in the order in which they end.
   */
  public Excuses outage(Set<String> processes, long from, long to, int most) {
    outages.add(new Outage(Set.copyOf(processes), from, to, most));
    return this;
  }

  /** Those that came again for no reason; an outage is a reason for as many as it may be. */
  List<Repetition> unexcused(List<Repetition> repetitions) {
    int[] outagesLeft = outages.stream().mapToInt(Outage::most).toArray();
    Map<String, Integer> lateLeft = new HashMap<>(lateBeginnings);
    List<Repetition> unexcused = new ArrayList<>();
    List<Repetition> inOrder = new ArrayList<>(repetitions);
    inOrder.sort(Comparator.comparingLong(repetition -> repetition.call().begun()));
    for (Repetition repetition : inOrder) {
      if (!wasInHands(repetition.call())
          && !takesFrom(outagesLeft, repetition.call())
          && !takesFrom(lateLeft, repetition.again())) {
        unexcused.add(repetition);
      }
    }
    return unexcused;
  }

  private boolean wasInHands(Call call) {
    return inHands.getOrDefault(call.process(), Set.of()).contains(call.event().id());
  }

  private boolean takesFrom(int[] left, Call call) {
    for (int i = 0; i < left.length; i++) {
      if (left[i] > 0 && outages.get(i).covers(call)) {
        left[i]--;
        return true;
      }
    }
    return false;
  }

  private static boolean takesFrom(Map<String, Integer> left, Call call) {
    return left.merge(call.process(), -1, Integer::sum) >= 0;
  }
}
