package outbox.faults.check;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import outbox.faults.history.Entry;
import outbox.faults.history.Entry.Call;
import outbox.faults.history.Entry.Event;
import outbox.faults.history.History;

/**
 * Judges a run by what its processes wrote down and what the table holds at the end. Each check
 * stands for one promise; together they say: written = delivered + pending + dead + purged.
 */
public final class Checker {

  private static final int EXAMPLES = 5;

  private final History history;
  private final Transactions transactions;
  private final Map<String, Row> rows;
  private final Map<String, List<Entry.Ends>> deliveries;
  private final Order order;

  public Checker(History history, List<Row> rows) {
    this.history = history;
    this.rows = rows.stream().collect(toMap(row -> row.event().id(), row -> row));
    transactions = Transactions.of(history);
    order = Order.of(history);
    deliveries =
        history.deliveries().stream()
            .sorted(Comparator.comparingLong(end -> end.call().begun()))
            .collect(groupingBy(end -> end.call().event().id()));
  }

  /** Every commit that its writer knows of is in the table. */
  public Checker nothingPurged() {
    return none(
        "committed, but not in the table",
        transactions.committed().keySet().stream().filter(id -> !rows.containsKey(id)));
  }

  /** Everything that was committed and isn't dead or pending was delivered. */
  public Checker nothingLost() {
    return none(
        "ended, but never delivered",
        Stream.concat(
            rows.values().stream()
                .filter(row -> row.isDone() && !isDelivered(row.event().id()))
                .map(Row::event),
            transactions.committed().keySet().stream()
                .filter(id -> !rows.containsKey(id) && !isDelivered(id))
                .map(transactions::event)));
  }

  /**
   * Nothing is in the table, and nothing was delivered, that nobody wrote or somebody took back.
   */
  public Checker nothingInvented() {
    none(
        "in the table, but not written",
        rows.values().stream().map(Row::event).filter(event -> !transactions.mayHold(event)));
    return none(
        "delivered, but not committed",
        history.calls().stream().map(Call::event).filter(event -> !isCommitted(event)));
  }

  /** The business counted as many events of each key as were committed. */
  public Checker conserved(Map<String, Integer> versions) {
    Map<String, Integer> counts =
        committed().collect(groupingBy(Event::key, counting())).entrySet().stream()
            .collect(toMap(Map.Entry::getKey, count -> count.getValue().intValue()));
    assertThat(counts).as("events by key").isEqualTo(versions);
    Map<Integer, Long> byStatus =
        rows.values().stream().collect(groupingBy(Row::status, counting()));
    assertThat(byStatus.keySet()).as("statuses").isSubsetOf(0, 1, 2, 3);
    return this;
  }

  public Checker nothingPending() {
    return none("pending", rows.values().stream().filter(Row::isPending));
  }

  /** Exactly these events are dead. */
  public Checker deadAre(Predicate<Event> expected) {
    none(
        "dead without a reason",
        rows.values().stream().filter(row -> row.isDead() && !expected.test(row.event())));
    return none(
        "alive, but should be dead",
        rows.values().stream().filter(row -> !row.isDead() && expected.test(row.event())));
  }

  public Checker nothingDead() {
    return deadAre(event -> false);
  }

  /** Each key in order, as {@link Order} has it. */
  public Checker inOrder() {
    return none("out of order", order.violations().stream());
  }

  /** Only a process that stood still is a zombie, and only with what its workers had in hands. */
  public Checker zombiesOnlyOf(Map<String, Integer> stops, int workers) {
    order
        .zombies()
        .forEach(
            (process, count) ->
                assertThat(count)
                    .as("calls of zombie %s", process)
                    .isLessThanOrEqualTo((long) workers * stops.getOrDefault(process, 0)));
    return this;
  }

  /** Only what a disturbed process had delivered and not yet written comes again. */
  public Checker repeatsOnlyOf(Map<String, Integer> disturbances, int inFlight) {
    repeats().stream()
        .collect(groupingBy(Call::process, counting()))
        .forEach(
            (process, count) ->
                assertThat(count)
                    .as("events of %s that came again (%s)", process, leases(process))
                    .isLessThanOrEqualTo((long) inFlight * disturbances.getOrDefault(process, 0)));
    return this;
  }

  /** Only what was delivered by a call that seemed to fail comes again. */
  public Checker repeatsOnlyOfForgotten() {
    Set<Call> forgotten =
        history.all(Entry.Forgets.class).map(Entry.Forgets::call).collect(toSet());
    return none(
        "delivered again after a call that succeeded",
        repeats().stream().filter(call -> !forgotten.contains(call)));
  }

  /**
   * Only what was delivered between these moments, when nobody could write it down, comes again.
   */
  public Checker repeatsOnlyBetween(long from, long to) {
    return none(
        "repeated, though their status could be written",
        repeats().stream().filter(call -> call.begun() - from < 0 || call.begun() - to > 0));
  }

  /** Only what a lost process had in its hands comes again. */
  public Checker repeatsOnlyAmong(Map<String, Set<String>> inHands) {
    Excuses excuses = new Excuses();
    inHands.forEach(excuses::inHands);
    return repeatsOnlyFor(excuses);
  }

  /** Only what the scenario can explain comes again. */
  public Checker repeatsOnlyFor(Excuses excuses) {
    return none("repeated without an excuse", excuses.unexcused(repetitions()).stream());
  }

  public Checker noRepeats() {
    return repeatsOnlyOf(Map.of(), 0);
  }

  /** What was committed before that moment was delivered within this time after it. */
  public Checker deliveredWithin(Duration bound, long nanos) {
    assertThat(lag(nanos)).as("time to converge").isLessThanOrEqualTo(bound);
    return this;
  }

  /** How long after that moment the last event was delivered that was committed before it. */
  public Duration lag(long nanos) {
    long last =
        transactions.committed().entrySet().stream()
            .filter(commit -> commit.getValue() - nanos <= 0)
            .map(Map.Entry::getKey)
            .filter(this::isDelivered)
            .mapToLong(this::firstDelivery)
            .max()
            .orElse(nanos);
    return Duration.ofNanos(Math.max(0, last - nanos));
  }

  /** The longest time from a commit to the delivery of an event; zero if none was delivered. */
  public Duration slowest() {
    return Duration.ofNanos(
        transactions.committed().entrySet().stream()
            .filter(commit -> isDelivered(commit.getKey()))
            .mapToLong(commit -> firstDelivery(commit.getKey()) - commit.getValue())
            .map(nanos -> Math.max(0, nanos)) // a delivery may come before its writer hears of it
            .max()
            .orElse(0));
  }

  private long firstDelivery(String id) {
    return deliveries.getOrDefault(id, List.of()).stream()
        .mapToLong(Entry.Ends::nanos)
        .min()
        .orElseThrow();
  }

  /** For each delivery of an event that came again, the call that was begun before. */
  public List<Call> repeats() {
    return repetitions().stream().map(Repetition::call).toList();
  }

  private List<Repetition> repetitions() {
    List<Repetition> repetitions = new ArrayList<>();
    for (List<Entry.Ends> delivered : deliveries.values()) {
      for (int i = 1; i < delivered.size(); i++) {
        repetitions.add(new Repetition(delivered.get(i - 1).call(), delivered.get(i).call()));
      }
    }
    return repetitions;
  }

  public int zombies() {
    return order.zombies().values().stream().mapToInt(Long::intValue).sum();
  }

  public long written() {
    return committed().count();
  }

  public int calls() {
    return history.calls().size();
  }

  /** No excuse, but a hint for whoever looks into it. */
  private String leases(String process) {
    return "it lost its lease %d times".formatted(history.lostLeases().getOrDefault(process, 0L));
  }

  private boolean isDelivered(String id) {
    return deliveries.containsKey(id);
  }

  private boolean isCommitted(Event event) {
    return transactions.mayHold(event)
        && (rows.containsKey(event.id()) || transactions.committed().containsKey(event.id()));
  }

  private Stream<Event> committed() {
    Map<String, Event> events = new HashMap<>();
    rows.forEach((id, row) -> events.put(id, row.event()));
    transactions.committed().keySet().forEach(id -> events.put(id, transactions.event(id)));
    return events.values().stream();
  }

  private Checker none(String what, Stream<?> found) {
    assertThat(found.limit(EXAMPLES).toList()).as("events that are %s", what).isEmpty();
    return this;
  }
}
