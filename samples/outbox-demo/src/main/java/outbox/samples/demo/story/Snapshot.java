package outbox.samples.demo.story;

import java.time.Duration;
import java.util.List;
import outbox.samples.demo.books.Percentiles;
import outbox.samples.demo.books.TableCounts;

/** Everything a view shows, at one moment of the run. */
public record Snapshot(
    Duration elapsed,
    Duration planned,
    String caption,
    OrderCounts orders,
    TableCounts table,
    DeliveryCounts deliveries,
    QueueCounts queue,
    List<Long> rates,
    Percentiles latency,
    List<Moment> moments) {

  /** What the shop knows. */
  public record OrderCounts(int committed, int rolledBack) {}

  /** What the listeners know. */
  public record DeliveryCounts(long delivered, long failedTries, int replayed, long duplicates) {}

  /** How events found their way; all but the depth and capacity only grow. */
  public record QueueCounts(int hotDepth, int hotCapacity, long hot, long cold) {}
}
