package outbox.dispatch;

import java.util.List;
import outbox.spi.Claim;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/** Gives events that found no room back to the database, and has them polled after that. */
final class Overflow {

  private final Completer completer;
  private final AttachedPoller poller;

  Overflow(Completer completer, AttachedPoller poller) {
    this.completer = completer;
    this.poller = poller;
  }

  /** Keeps no payload: there was no room for it. */
  void leaveToPoller(List<QueuedEvent> events, @Nullable Claim claim) {
    if (claim == null) {
      poller.wake();
      return;
    }
    completer.offer(events.stream().map(event -> released(event, claim)).toList());
  }

  private static Completion released(QueuedEvent event, Claim claim) {
    Delivery delivery =
        new Delivery(event.withoutPayload(), InFlight.Hold.NONE, new Lease(claim, false));
    return new Completion(delivery, new Outcome.Released());
  }
}
