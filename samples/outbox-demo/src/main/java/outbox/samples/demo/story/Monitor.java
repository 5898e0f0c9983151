package outbox.samples.demo.story;

import java.sql.Connection;
import java.sql.SQLException;
import outbox.samples.demo.books.Counters;
import outbox.samples.demo.books.Ledger;
import outbox.samples.demo.books.TableCounts;
import outbox.samples.demo.books.Throughput;
import outbox.samples.demo.shop.OrderOutbox;
import outbox.samples.demo.shop.Shop;

/** Looks at the running shop: the table, the queues, the listeners. Safe for all threads. */
public final class Monitor {

  private static final String CALM =
      "Each order is one transaction: its row and its event, or neither.";

  private final Shop shop;
  private final Timeline timeline;
  private final Throughput throughput = new Throughput();
  private volatile String caption = "";
  private volatile int replayed;

  public Monitor(Shop shop, Timeline timeline) {
    this.shop = shop;
    this.timeline = timeline;
  }

  /** From here on the orders are not those of quiet times. */
  void incident(String caption) {
    shop.ledger().quiet(false);
    caption(caption);
  }

  void calm() {
    shop.ledger().quiet(true);
    caption(CALM);
  }

  void caption(String caption) {
    this.caption = caption;
  }

  void replayed(int replayed) {
    this.replayed = replayed;
  }

  int replayed() {
    return replayed;
  }

  /** What the outbox table holds now. */
  TableCounts table() {
    try (Connection connection = shop.dataSource().getConnection()) {
      return TableCounts.read(connection);
    } catch (SQLException e) {
      throw new IllegalStateException("could not read the outbox table", e);
    }
  }

  public Snapshot snapshot() {
    Ledger ledger = shop.ledger();
    Counters counters = shop.counters();
    throughput.sample(timeline.elapsed(), ledger.deliveries());
    return new Snapshot(
        timeline.elapsed(),
        timeline.planned(),
        caption,
        new Snapshot.OrderCounts(ledger.committedOrders(), ledger.rolledBackOrders()),
        table(),
        new Snapshot.DeliveryCounts(
            ledger.deliveries(), counters.failures(), replayed, ledger.duplicates()),
        new Snapshot.QueueCounts(
            counters.hotDepth(),
            OrderOutbox.HOT_QUEUE_CAPACITY,
            counters.hotEnqueued(),
            counters.coldEnqueued()),
        throughput.rates(),
        ledger.recentLatency(),
        timeline.moments());
  }
}
