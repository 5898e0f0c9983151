package outbox.destination;

import java.util.concurrent.atomic.AtomicLong;

/** Knows whether a batch was overtaken: whether one was delivered that was sent after it. */
final class Overtaking {

  private final AtomicLong now = new AtomicLong();
  private final AtomicLong latestDelivered = new AtomicLong();

  /** A moment, later than those before. */
  long moment() {
    return now.incrementAndGet();
  }

  /**
   * @param begin before it was handed to the destination
   */
  void delivered(long begin) {
    latestDelivered.accumulateAndGet(begin, Math::max);
  }

  /**
   * @param handedOver when the destination had it
   */
  boolean wasOvertaken(long handedOver) {
    return latestDelivered.get() > handedOver;
  }
}
