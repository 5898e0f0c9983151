package outbox.samples.demo.story;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import outbox.samples.demo.books.Audit;
import outbox.samples.demo.books.Books;
import outbox.samples.demo.books.Counters;
import outbox.samples.demo.books.Ledger;
import outbox.samples.demo.shop.Checkout;
import outbox.samples.demo.shop.Order;
import outbox.samples.demo.shop.OrderOutbox;
import outbox.samples.demo.shop.Shop;

/**
 * A working day of the shop: everyday orders all the time, and one incident after another. What is
 * told is what was found, and the books are closed at the end.
 */
public final class Story {

  private static final int BURST = 1200;

  /** In one transaction: more than the hot queue holds, however fast it is emptied. */
  private static final int BATCH = OrderOutbox.HOT_QUEUE_CAPACITY + 100;

  /** What everyday orders leave pending at any moment. */
  private static final int EVERYDAY = 20;

  private static final int ORPHANS = 40;

  private final Shop shop;
  private final Timeline timeline;
  private final Monitor monitor;
  private final Ledger ledger;
  private final Counters counters;

  public Story(Shop shop, Timeline timeline, Monitor monitor) {
    this.shop = shop;
    this.timeline = timeline;
    this.monitor = monitor;
    ledger = shop.ledger();
    counters = shop.counters();
  }

  /** Takes about as long as planned and returns the books. */
  public Books tell() throws SQLException, InterruptedException, ExecutionException {
    Traffic traffic = new Traffic(shop, this::declined);
    DeadInvoice invoice = new DeadInvoice(shop, timeline, monitor);
    monitor.calm();
    timeline.note(
        Tone.PLAIN,
        "the shop opens: about %d orders a second".formatted(Traffic.ORDERS_PER_SECOND));
    traffic.start();
    timeline.awaitShare(0.10);
    crash();
    timeline.awaitShare(0.18);
    invoice.request();
    timeline.awaitShare(0.30);
    stumble();
    timeline.awaitShare(0.50);
    burst();
    timeline.awaitShare(0.70);
    dieAfterCommit();
    timeline.awaitShare(0.82);
    invoice.replay();
    timeline.awaitShare(0.93);
    traffic.stop();
    return close();
  }

  private void declined(Order order) {
    timeline.note(
        Tone.TROUBLE, order.id() + ": payment declined, order and event roll back together");
  }

  private void crash() throws SQLException {
    Order order = shop.nextOrder();
    int remains = shop.remoteTill().dieBeforeCommit(order);
    timeline.note(
        Tone.TROUBLE,
        "%s: its process dies before the commit, %d rows remain".formatted(order.id(), remains));
  }

  private void stumble() throws InterruptedException {
    monitor.incident("The warehouse refuses deliveries: events wait and are tried again.");
    int refusedBefore = ledger.refusedEvents();
    shop.warehouse().stumble("warehouse: 503 service unavailable");
    timeline.note(Tone.TROUBLE, "the warehouse answers 503, events are put off and retried");
    timeline.awaitShare(0.37);
    shop.warehouse().repair();
    timeline.tellOnce(
        () -> monitor.table().toRetry() == 0,
        () ->
            "the warehouse is back, the %,d events it had refused are delivered"
                .formatted(ledger.refusedEvents() - refusedBefore));
    monitor.calm();
  }

  private void burst() throws SQLException, InterruptedException {
    monitor.incident("A burst of %,d orders: more than the hot queue holds.".formatted(BURST));
    Checkout checkout = shop.checkout();
    Duration start = timeline.elapsed();
    for (int placed = 0; placed < BURST; placed += BATCH) {
      checkout.placeAll(orders(BATCH));
    }
    timeline.note(
        Tone.TROUBLE,
        "%,d orders in %s: hot queue full, %,d events left to the poller"
            .formatted(BURST, since(start), counters.hotDropped()));
    timeline.tellOnce(
        () -> monitor.table().pending() < EVERYDAY,
        () -> "the burst is delivered, %s after it began".formatted(since(start)));
    monitor.calm();
  }

  private void dieAfterCommit() throws SQLException, InterruptedException {
    monitor.incident("A process dies right after its commit: only the table knows its events.");
    Duration start = timeline.elapsed();
    shop.remoteTill().placeAndDie(orders(ORPHANS));
    timeline.note(
        Tone.TROUBLE, "a process dies right after it has committed " + ORPHANS + " orders");
    timeline.tellOnce(
        () -> monitor.table().pending() < EVERYDAY,
        () -> "the poller found them in the table: delivered after " + since(start));
    monitor.calm();
  }

  private Books close() throws SQLException, InterruptedException {
    monitor.caption("The shop is closed, and the books are checked against the database.");
    timeline.await(() -> monitor.table().pending() == 0);
    Books books = new Audit(shop.dataSource(), ledger, counters).close(monitor.replayed());
    timeline.note(
        books.balance() ? Tone.GOOD : Tone.BAD,
        books.balance() ? "the shop is closed, the books balance" : "the books do not balance");
    timeline.awaitShare(1.0);
    return books;
  }

  private List<Order> orders(int count) {
    return Stream.generate(shop::nextOrder).limit(count).toList();
  }

  private String since(Duration start) {
    return Timeline.seconds(timeline.elapsed().minus(start));
  }
}
