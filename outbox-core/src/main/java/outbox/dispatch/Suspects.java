package outbox.dispatch;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import outbox.util.Nullable;

/**
 * Events whose tries were started and never ended: one of them may be what killed its process. They
 * are tried one after the other, so that the next crash is charged to that one alone. The others
 * wait without keeping a worker.
 */
final class Suspects {

  /** One that takes longer holds up the others no more. */
  private static final Duration LONG_DELIVERY = Duration.ofSeconds(5);

  private final FairQueue queue;
  private final Deque<Delivery> waiting = new ArrayDeque<>();
  private @Nullable Delivery current;
  private long sinceNanos;
  private boolean drained;

  Suspects(FairQueue queue) {
    this.queue = queue;
  }

  /** False if the event has to wait for another one; it is queued again when its turn comes. */
  synchronized boolean admit(Delivery delivery) {
    if (drained || delivery.equals(current) || !isUnderWay()) {
      begin(delivery);
      return true;
    }
    waiting.addLast(delivery);
    queue.park(delivery);
    return false;
  }

  /** Goes on with the next one if the one under way takes too long. */
  synchronized void look() {
    if (!isUnderWay()) {
      admitNext();
    }
  }

  /** Takes out those that wait, for good. */
  synchronized List<Delivery> drain() {
    drained = true;
    List<Delivery> left = new ArrayList<>(waiting);
    waiting.clear();
    queue.unpark(left);
    return left;
  }

  private boolean isUnderWay() {
    return current != null && System.nanoTime() - sinceNanos < LONG_DELIVERY.toNanos();
  }

  private void begin(Delivery delivery) {
    current = delivery;
    sinceNanos = System.nanoTime();
    Objects.requireNonNull(delivery.lease()).whenEnded(() -> ended(delivery));
  }

  private synchronized void ended(Delivery delivery) {
    if (delivery.equals(current)) {
      current = null;
      admitNext();
    }
  }

  private void admitNext() {
    Delivery next = waiting.pollFirst();
    if (next != null) {
      begin(next);
      queue.resume(next);
    }
  }
}
