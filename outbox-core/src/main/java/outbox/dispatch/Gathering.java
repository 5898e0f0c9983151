package outbox.dispatch;

import java.util.ArrayDeque;
import java.util.Deque;
import outbox.BatchEventListener;
import outbox.util.Nullable;

/** The events that wait for the next batch of one listener; changes in {@link Gatherings} alone. */
final class Gathering implements Work {

  final BatchEventListener listener;
  final Deque<Delivery> events = new ArrayDeque<>();

  /** Whether it is lined up or a batch of it is being delivered. */
  boolean isBusy;

  private volatile boolean hot;

  Gathering(BatchEventListener listener) {
    this.listener = listener;
  }

  /** Waits where its first event did. */
  @Override
  public boolean isHot() {
    return hot;
  }

  @Override
  public @Nullable Delivery delivery() {
    return null;
  }

  void waitWhereTheFirstDid() {
    Delivery first = events.peekFirst();
    hot = first != null && first.isHot();
  }
}
