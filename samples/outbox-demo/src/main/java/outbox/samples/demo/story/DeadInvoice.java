package outbox.samples.demo.story;

import java.sql.SQLException;
import outbox.model.OutboxEvent;
import outbox.samples.demo.shop.DeadLetters;
import outbox.samples.demo.shop.Order;
import outbox.samples.demo.shop.Shop;

/**
 * An event whose destination stays down for too long: it dies, and is replayed after the repair.
 */
final class DeadInvoice {

  private final Shop shop;
  private final Timeline timeline;
  private final Monitor monitor;
  private final DeadLetters deadLetters;
  private String eventId = "not requested yet";

  DeadInvoice(Shop shop, Timeline timeline, Monitor monitor) {
    this.shop = shop;
    this.timeline = timeline;
    this.monitor = monitor;
    deadLetters = shop.deadLetters();
  }

  void request() throws SQLException {
    shop.invoicing().breakDown("invoicing: connection refused");
    Order order = shop.nextOrder();
    eventId = shop.checkout().placeWithInvoice(order);
    timeline.note(Tone.TROUBLE, order.id() + " wants an invoice, but invoicing is down");
    timeline.when(this::isDead, this::tellWhy);
  }

  void replay() throws InterruptedException {
    timeline.await(this::isDead);
    monitor.incident("Invoicing is repaired, and the dead event is replayed.");
    shop.invoicing().repair();
    int replayed = deadLetters.replayAll();
    monitor.replayed(replayed);
    timeline.note(Tone.PLAIN, "invoicing is repaired, dead events replayed: " + replayed);
    timeline.tellOnce(
        () -> shop.ledger().hasArrived(eventId),
        () ->
            "the invoice is delivered, %s after its order was committed"
                .formatted(Timeline.seconds(shop.ledger().latency().max())));
    monitor.calm();
  }

  private boolean isDead() {
    return shop.counters().deaths() > 0;
  }

  private void tellWhy() {
    for (OutboxEvent event : deadLetters.list()) {
      timeline.note(
          Tone.BAD,
          "DEAD: %s of %s, after %d tries"
              .formatted(event.eventType(), event.aggregateId(), event.attempts()));
      timeline.note(Tone.DETAIL, deadLetters.lastError(event.eventId()));
    }
  }
}
