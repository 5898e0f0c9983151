package outbox.dispatch;

/** What a worker can take from the queue: an event, or a batch that waits for its turn. */
sealed interface Work permits Delivery, Gathering {

  /** Which of the two queues it waits in. */
  boolean isHot();
}
