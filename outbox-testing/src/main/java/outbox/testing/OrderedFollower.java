package outbox.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import outbox.model.OutboxEvent;
import outbox.spi.OrderedPage;
import outbox.spi.OrderedPage.OpenEvent;
import outbox.spi.OrderedPage.Row;

/**
 * Follows the numbers of events as an engine does: never looks again below a number once all that
 * was open there has ended. That a number is taken shows a moment later than it is taken, and so it
 * stays behind by such a moment.
 */
final class OrderedFollower {

  private static final long MOMENT = Duration.ofMillis(500).toNanos();

  private final Function<Long, OrderedPage> readAfter;
  private final List<Mark> marks = new ArrayList<>();
  private final Set<Long> known = new HashSet<>();
  private long low;

  OrderedFollower(Function<Long, OrderedPage> readAfter) {
    this.readAfter = readAfter;
  }

  private record Mark(long seq, Set<Long> openTransactions, long at) {

    boolean isOver(OrderedPage page) {
      return System.nanoTime() - at > MOMENT
          && Collections.disjoint(openTransactions, page.openTransactions());
    }
  }

  /** What has been committed since it was asked before, in order. */
  List<OutboxEvent> next() {
    OrderedPage page = readAfter.apply(low);
    for (Mark mark : marks) {
      low = mark.isOver(page) ? Math.max(low, mark.seq()) : low;
    }
    marks.removeIf(mark -> mark.seq() <= low);
    marks.add(new Mark(settledUpTo(page), page.openTransactions(), System.nanoTime()));
    return page.rows().stream().filter(row -> known.add(row.seq())).map(Row::event).toList();
  }

  private static long settledUpTo(OrderedPage page) {
    long last = page.rows().stream().mapToLong(Row::seq).max().orElse(0);
    long open = page.openEvents().stream().mapToLong(OpenEvent::seq).min().orElse(Long.MAX_VALUE);
    return Math.min(last, open - 1);
  }
}
