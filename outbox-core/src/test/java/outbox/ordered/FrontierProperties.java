package outbox.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import outbox.model.OutboxEvent;
import outbox.spi.OrderedPage;

/**
 * Against a table in which transactions take numbers, show a moment later, and commit in any order;
 * the databases that show open transactions, and those that show open events.
 */
class FrontierProperties {

  private static final long MOMENT = Frontier.MOMENT.toNanos();

  enum Step {
    BEGIN_AND_TAKE,
    TAKE,
    SHOW,
    COMMIT,
    ROLL_BACK,
    READ,
    TIME_PASSES
  }

  private enum State {
    HIDDEN,
    SHOWN,
    COMMITTED,
    READ,
    GONE
  }

  /** One number; those of a transaction end together. */
  private static final class Row {
    final long seq;
    final long transaction;
    final long takenNanos;
    State state;

    Row(long seq, long transaction, long takenNanos, State state) {
      this.seq = seq;
      this.transaction = transaction;
      this.takenNanos = takenNanos;
      this.state = state;
    }

    @Override
    public String toString() {
      return seq + " " + state;
    }

    boolean isOpen() {
      return state == State.HIDDEN || state == State.SHOWN;
    }
  }

  @Property(tries = 1000)
  void whateverIsCommittedIsReadAndWhatIsSettledStaysSo(
      @ForAll boolean showsTransactions,
      @ForAll @IntRange(min = 1, max = 5) int limit,
      @ForAll("steps") List<Step> steps) {
    Table table = new Table(showsTransactions, limit);
    for (int i = 0; i < steps.size(); i++) {
      table.run(steps.get(i), i);
    }

    table.commitAndReadAll();

    assertThat(table.rows).noneMatch(row -> row.state == State.COMMITTED);
  }

  /** The table, and whoever reads it. */
  private static final class Table {
    private final Frontier frontier = new Frontier();
    private final List<Row> rows = new ArrayList<>();
    private long nanos;
    private long transactions;
    private final boolean showsTransactions;
    private final int limit;

    Table(boolean showsTransactions, int limit) {
      this.showsTransactions = showsTransactions;
      this.limit = limit;
    }

    void commitAndReadAll() {
      rows.forEach(row -> row.state = row.isOpen() ? State.COMMITTED : row.state);
      for (int i = 0; i < 2 * rows.size() + 10; i++) {
        nanos += MOMENT;
        read();
      }
    }

    void run(Step step, int place) {
      switch (step) {
        case BEGIN_AND_TAKE -> take(++transactions, State.HIDDEN);
        case TAKE -> pick(place).ifPresent(row -> take(row.transaction, row.state));
        case SHOW -> pick(place).ifPresent(row -> change(row.transaction, State.SHOWN));
        case COMMIT -> pick(place).ifPresent(row -> change(row.transaction, State.COMMITTED));
        case ROLL_BACK -> pick(place).ifPresent(row -> change(row.transaction, State.GONE));
        case READ -> read();
        case TIME_PASSES -> pass(MOMENT * 3 / 5);
      }
      assertThat(rows)
          .as("numbers below what is settled, %d", frontier.settled())
          .noneMatch(row -> row.isOpen() && row.seq <= frontier.settled());
    }

    /** Before a moment is over everybody shows who has taken a number. */
    private void pass(long time) {
      nanos += time;
      rows.stream()
          .filter(row -> row.state == State.HIDDEN && nanos - row.takenNanos >= MOMENT / 2)
          .toList()
          .forEach(row -> change(row.transaction, State.SHOWN));
    }

    private void take(long transaction, State state) {
      rows.add(new Row(rows.size() + 1L, transaction, nanos, state));
    }

    private Optional<Row> pick(int place) {
      List<Row> open = rows.stream().filter(Row::isOpen).toList();
      return open.isEmpty() ? Optional.empty() : Optional.of(open.get(place % open.size()));
    }

    private void change(long transaction, State state) {
      rows.stream().filter(row -> row.transaction == transaction).forEach(row -> row.state = state);
    }

    /** What was read is over by the next page. */
    private void read() {
      long start = frontier.start();
      List<Row> found =
          rows.stream()
              .filter(row -> row.seq > start && row.state == State.COMMITTED)
              .limit(limit)
              .toList();
      boolean isLast = found.size() < limit;
      long reached = isLast ? Long.MAX_VALUE : found.get(limit - 1).seq;
      List<Row> shown = rows.stream().filter(row -> row.state == State.SHOWN).toList();
      Set<Long> openTransactions =
          showsTransactions
              ? shown.stream().map(row -> row.transaction).collect(Collectors.toSet())
              : Set.of();
      List<OrderedPage.OpenEvent> openEvents =
          showsTransactions
              ? List.of()
              : shown.stream()
                  .filter(row -> row.seq > start && row.seq <= reached)
                  .map(row -> new OrderedPage.OpenEvent(row.seq, null))
                  .toList();
      OrderedPage page =
          new OrderedPage(found.stream().map(Table::read).toList(), openEvents, openTransactions);
      if (frontier.accept(page, start, isLast, false, true, nanos)) {
        Set<Long> read =
            found.stream().map(row -> row.seq).collect(Collectors.toCollection(HashSet::new));
        rows.stream().filter(row -> read.contains(row.seq)).forEach(row -> row.state = State.READ);
      }
    }

    private static OrderedPage.Row read(Row row) {
      OutboxEvent event =
          new OutboxEvent("e" + row.seq, "T", "A", "a", null, "{}", null, 0, Instant.EPOCH);
      return new OrderedPage.Row(row.seq, 0, event, Instant.EPOCH);
    }
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Arbitraries.frequencyOf(
            Tuple.of(3, Arbitraries.of(Step.BEGIN_AND_TAKE, Step.TAKE, Step.READ)),
            Tuple.of(3, Arbitraries.of(Step.READ, Step.TIME_PASSES)),
            Tuple.of(1, Arbitraries.of(Step.SHOW, Step.COMMIT, Step.ROLL_BACK)))
        .list()
        .ofMinSize(10)
        .ofMaxSize(60);
  }
}
