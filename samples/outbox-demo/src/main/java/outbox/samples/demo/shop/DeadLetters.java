package outbox.samples.demo.shop;

import java.util.List;
import outbox.dead.DeadEventManager;
import outbox.model.OutboxEvent;

/** What an operator does with events that died: look why, repair the cause, replay. */
public final class DeadLetters {

  private final OrderOutbox outbox;
  private final DeadEventManager deadEvents;

  public DeadLetters(OrderOutbox outbox) {
    this.outbox = outbox;
    deadEvents = new DeadEventManager(outbox.connections(), outbox.store());
  }

  public List<OutboxEvent> list() {
    return deadEvents.query(null, null, 10);
  }

  public String lastError(String eventId) {
    return deadEvents.find(eventId).map(details -> details.lastError()).orElse("unknown");
  }

  /** Returns how many events are new again. */
  public int replayAll() {
    // docs:begin replay
    int replayed = deadEvents.replayAll(null, null, 100);
    outbox.poller().wake();
    // docs:end replay
    return replayed;
  }
}
