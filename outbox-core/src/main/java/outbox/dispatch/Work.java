package outbox.dispatch;

import outbox.util.Nullable;

/**
 * What a worker can take from the queue: an event, one that already knows its asynchronous
 * listener, or a batch that waits for its turn.
 */
sealed interface Work permits Delivery, Passenger, Gathering {

  /** Which of the two queues it waits in. */
  boolean isHot();

  /** The event; null if this is a batch, whose events are parked. */
  @Nullable
  Delivery delivery();
}
