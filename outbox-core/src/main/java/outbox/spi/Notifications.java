package outbox.spi;

/**
 * Tells other processes that there are new events, so that they needn't wait for their next poll. A
 * hint and no more: what is lost is found by polling.
 */
public interface Notifications {

  /** Opens what sends; close ends it. */
  Sender sender();

  /**
   * Calls back, on a thread of its own, whenever somebody has sent, and after every interruption
   * during which that may have been missed. Close ends it.
   */
  Subscription subscribe(Runnable woken);

  /** Sends notifications. */
  interface Sender extends AutoCloseable {

    /** Returns at once; what is sent in quick succession may arrive as one. */
    void send();

    @Override
    void close();
  }

  /** The right to be called back. */
  interface Subscription extends AutoCloseable {

    @Override
    void close();
  }
}
