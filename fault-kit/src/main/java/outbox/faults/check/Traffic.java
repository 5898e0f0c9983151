package outbox.faults.check;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import outbox.faults.history.Entry;
import outbox.faults.history.Entry.Call;
import outbox.faults.history.Entry.Event;
import outbox.faults.history.History;

/** How much went where, and how fast. */
public final class Traffic {

  private final History history;
  private final Map<String, Long> committed;
  private final Map<String, Long> delivered;

  public Traffic(History history) {
    this.history = history;
    committed = Transactions.of(history).committed();
    delivered =
        history.deliveries().stream()
            .collect(toMap(end -> end.call().event().id(), Entry.Ends::nanos, Math::min));
  }

  /** The most calls that a process had under way at once. */
  public int peak(String process) {
    Map<Long, Integer> steps = new TreeMap<>();
    for (Entry entry : history.entries()) {
      if (entry instanceof Entry.Begins begins && begins.call().process().equals(process)) {
        steps.merge(entry.nanos(), 1, Integer::sum);
      } else if (entry instanceof Entry.Ends ends && ends.call().process().equals(process)) {
        steps.merge(entry.nanos(), -1, Integer::sum);
      }
    }
    int peak = 0;
    int underWay = 0;
    for (int step : steps.values()) {
      underWay += step;
      peak = Math.max(peak, underWay);
    }
    return peak;
  }

  /** What was delivered of these events in a time, by what was committed of them in it. */
  public double share(long from, long to, Predicate<Event> events) {
    long written =
        history
            .all(Entry.Committed.class)
            .filter(entry -> entry.nanos() >= from && entry.nanos() < to)
            .flatMap(entry -> entry.transaction().events().stream())
            .filter(events)
            .count();
    long ended =
        history.deliveries().stream()
            .filter(entry -> entry.nanos() >= from && entry.nanos() < to)
            .filter(entry -> events.test(entry.call().event()))
            .count();
    return written == 0 ? 0 : (double) ended / written;
  }

  /** The part of these events, committed in a time, that was delivered before a moment. */
  public double deliveredBefore(long moment, long from, long to, Predicate<Event> events) {
    List<Event> written =
        history
            .all(Entry.Committed.class)
            .filter(entry -> entry.nanos() >= from && entry.nanos() < to)
            .flatMap(entry -> entry.transaction().events().stream())
            .filter(events)
            .toList();
    long ended =
        written.stream()
            .filter(event -> delivered.getOrDefault(event.id(), moment) - moment < 0)
            .count();
    return written.isEmpty() ? 0 : (double) ended / written.size();
  }

  /** How long the slowest of these events took from its commit to its delivery. */
  public Duration slowest(Predicate<Event> events) {
    return Duration.ofNanos(
        history
            .all(Entry.Committed.class)
            .flatMap(entry -> entry.transaction().events().stream())
            .filter(event -> events.test(event) && delivered.containsKey(event.id()))
            .mapToLong(event -> latency(event.id()))
            .max()
            .orElse(0));
  }

  private long latency(String id) {
    return delivered.getOrDefault(id, 0L) - committed.getOrDefault(id, 0L);
  }

  /** The shortest time between two calls with the same event. */
  public Duration shortestPause() {
    Map<String, List<Call>> calls =
        history.calls().stream().collect(groupingBy(call -> call.event().id()));
    long shortest = Long.MAX_VALUE;
    for (List<Call> tries : calls.values()) {
      for (int i = 1; i < tries.size(); i++) {
        shortest = Math.min(shortest, tries.get(i).begun() - tries.get(i - 1).begun());
      }
    }
    return Duration.ofNanos(shortest);
  }
}
