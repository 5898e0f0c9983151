package outbox.faults.check;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

  /** The most calls that began within such a time, of those between two moments. */
  public int busiest(Duration window, long from, long to) {
    List<Long> begun =
        history.calls().stream()
            .map(Call::begun)
            .filter(nanos -> nanos - from >= 0 && nanos - to < 0)
            .toList();
    int most = 0;
    int first = 0;
    for (int last = 0; last < begun.size(); last++) {
      while (begun.get(last) - begun.get(first) >= window.toNanos()) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }

  /** How many calls ended between two moments without having delivered their event. */
  public int failures(long from, long to) {
    return (int)
        history
            .all(Entry.Ends.class)
            .filter(end -> !end.succeeded())
            .filter(end -> end.nanos() - from >= 0 && end.nanos() - to < 0)
            .count();
  }

  /** The most calls with one event. */
  public int mostTries() {
    return tries().mapToInt(List::size).max().orElse(0);
  }

  /** The length of the longest list that a listener was given. */
  public int longestList() {
    return history.all(Entry.Takes.class).mapToInt(Entry.Takes::size).max().orElse(0);
  }

  /** The part of these events, committed in a time, that was delivered in it. */
  public double share(long from, long to, Predicate<Event> events) {
    return deliveredBefore(to, from, to, events);
  }

  /** The part of these events, committed in a time, that was delivered before a moment. */
  public double deliveredBefore(long moment, long from, long to, Predicate<Event> events) {
    List<Event> written = committed(from, to, events).toList();
    long ended =
        written.stream()
            .filter(event -> delivered.getOrDefault(event.id(), moment) - moment < 0)
            .count();
    return written.isEmpty() ? 0 : (double) ended / written.size();
  }

  /**
   * How long the slowest of these events, committed in a time, took to its delivery: no stall is
   * made good by catching up. For ever, if one was never delivered or there was none.
   */
  public Duration slowest(long from, long to, Predicate<Event> events) {
    List<Event> written = committed(from, to, events).toList();
    return written.isEmpty() || written.stream().anyMatch(event -> !isDelivered(event))
        ? ChronoUnit.FOREVER.getDuration()
        : slowest(written.stream());
  }

  private Stream<Event> committed(long from, long to, Predicate<Event> events) {
    return history
        .all(Entry.Committed.class)
        .filter(entry -> entry.nanos() - from >= 0 && entry.nanos() - to < 0)
        .flatMap(entry -> entry.transaction().events().stream())
        .filter(events);
  }

  /** How long the slowest of these events took from its commit to its delivery. */
  public Duration slowest(Predicate<Event> events) {
    return slowest(
        history
            .all(Entry.Committed.class)
            .flatMap(entry -> entry.transaction().events().stream())
            .filter(event -> events.test(event) && isDelivered(event)));
  }

  private Duration slowest(Stream<Event> ended) {
    return Duration.ofNanos(ended.mapToLong(event -> latency(event.id())).max().orElse(0));
  }

  private boolean isDelivered(Event event) {
    return delivered.containsKey(event.id());
  }

  private long latency(String id) {
    return delivered.getOrDefault(id, 0L) - committed.getOrDefault(id, 0L);
  }

  /** The shortest time between two calls with the same event, of which there must be some. */
  public Duration shortestPause() {
    return tries()
        .flatMap(
            calls ->
                IntStream.range(1, calls.size())
                    .mapToObj(i -> calls.get(i).begun() - calls.get(i - 1).begun()))
        .min(Comparator.naturalOrder())
        .map(Duration::ofNanos)
        .orElseThrow(() -> new IllegalStateException("no event was tried twice"));
  }

  /** The calls with each event, in the order of their beginnings. */
  private Stream<List<Call>> tries() {
    return history.calls().stream()
        .collect(groupingBy(call -> call.event().id()))
        .values()
        .stream();
  }
}
