package outbox.dispatch;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import outbox.util.Nullable;

/**
 * Bounds how many events are under way asynchronously. What finds no slot waits without keeping a
 * worker, and is queued again when there is one.
 *
 * <p>A listener that is the only one ever has all slots. Of several, those that had events within
 * the last second have a share each, and one share is left over: a listener that ends nothing never
 * has what another one needs. With 256 slots one that is busy alone has 128, two have 85 each,
 * three 64.
 */
final class AsyncSlots {

  /** A listener without events keeps its share this long, or others would have it meanwhile. */
  private static final long KEPT_NANOS = Duration.ofSeconds(1).toNanos();

  private final FairQueue queue;
  private final int total;
  private final LongSupplier nanoTime;

  /** Of those with events just now, by identity: a registry may make a listener per call. */
  private final IdentityHashMap<Object, Share> shares = new IdentityHashMap<>();

  /** Those with work that waits, in turn. */
  private final Deque<Share> line = new ArrayDeque<>();

  /** What was queued again, and the share that has a slot kept for it. */
  private final IdentityHashMap<Work, Share> called = new IdentityHashMap<>();

  private @Nullable Object first;
  private boolean isShared;
  private int used;
  private long nextCleaningNanos;
  private volatile boolean anyCalled;
  private boolean drained;

  /** What one listener has. */
  private static final class Share {

    private final Deque<Work> waiting = new ArrayDeque<>();
    private int used;
    private int called;
    private long seenNanos;

    boolean isIdle() {
      return used == 0 && called == 0 && waiting.isEmpty();
    }
  }

  AsyncSlots(FairQueue queue, int total) {
    this(queue, total, System::nanoTime);
  }

  AsyncSlots(FairQueue queue, int total, LongSupplier nanoTime) {
    this.queue = queue;
    this.total = total;
    this.nanoTime = nanoTime;
    nextCleaningNanos = nanoTime.getAsLong() + KEPT_NANOS;
  }

  /** The listener has events and is about to ask for slots: others leave it some from now on. */
  synchronized void expect(Object listener) {
    shareOf(listener);
  }

  /**
   * Returns how many slots the listener gets, up to as many as wanted; without one, the work waits.
   * Negative if everything that waits was taken out already.
   */
  synchronized int take(Object listener, int wanted, Work work) {
    if (drained) {
      return -1;
    }
    endCall(work);
    Share share = shareOf(listener);
    int granted = Math.max(0, Math.min(wanted, free(share)));
    share.used += granted;
    used += granted;
    if (granted == 0) {
      await(share, work);
    }
    return granted;
  }

  synchronized void giveBack(Object listener, int slots) {
    shareOf(listener).used -= slots;
    used -= slots;
    clean();
    callWaiting();
    notifyAll();
  }

  /** The work was dealt with. If it had a slot kept for it and asked for none, others get that. */
  void handled(Work work) {
    if (anyCalled) {
      handledAfterCall(work);
    }
  }

  /** Takes out the events that wait for a slot, for good. */
  synchronized List<Delivery> drain() {
    drained = true;
    List<Delivery> left = new ArrayList<>();
    for (Share share : line) {
      for (Work work : share.waiting) {
        if (work instanceof Delivery delivery) {
          left.add(delivery);
        }
      }
      share.waiting.clear();
    }
    line.clear();
    queue.unpark(left);
    return left;
  }

  /** Waits until nothing is under way any more, or until the deadline. */
  synchronized void awaitIdle(long deadlineNanos) {
    try {
      for (long left; used > 0 && (left = deadlineNanos - System.nanoTime()) > 0; ) {
        long millis = left / 1_000_000;
        wait(millis, (int) (left % 1_000_000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void handledAfterCall(Work work) {
    if (endCall(work)) {
      callWaiting();
    }
  }

  private Share shareOf(Object listener) {
    first = first == null ? listener : first;
    isShared = isShared || first != listener;
    Share share = shares.computeIfAbsent(listener, key -> new Share());
    share.seenNanos = nanoTime.getAsLong();
    return share;
  }

  /** How many more slots the listener may have now. */
  private int free(Share share) {
    int most = isShared ? Math.max(1, total / (shares.size() + 1)) : total;
    return Math.min(total - used - called.size(), most - share.used - share.called);
  }

  private void await(Share share, Work work) {
    if (share.waiting.isEmpty()) {
      line.addLast(share);
    }
    share.waiting.addLast(work);
    if (work instanceof Delivery delivery) {
      queue.park(delivery);
    }
  }

  /** Queues again what may go on now: one of each listener that may, in turn. */
  private void callWaiting() {
    for (Share share = nextInLine(); share != null; share = nextInLine()) {
      Work work = share.waiting.removeFirst();
      if (!share.waiting.isEmpty()) {
        line.addLast(share);
      }
      share.called++;
      called.put(work, share);
      anyCalled = true;
      resume(work);
    }
  }

  private @Nullable Share nextInLine() {
    for (Iterator<Share> all = line.iterator(); all.hasNext(); ) {
      Share share = all.next();
      if (free(share) > 0) {
        all.remove();
        return share;
      }
    }
    return null;
  }

  private boolean endCall(Work work) {
    Share share = called.remove(work);
    if (share == null) {
      return false;
    }
    share.called--;
    anyCalled = !called.isEmpty();
    return true;
  }

  /** Now and then: forgets who has had no events for a while. */
  private void clean() {
    long now = nanoTime.getAsLong();
    if (now - nextCleaningNanos >= 0) {
      nextCleaningNanos = now + KEPT_NANOS;
      shares.values().removeIf(share -> share.isIdle() && now - share.seenNanos >= KEPT_NANOS);
    }
  }

  private void resume(Work work) {
    if (work instanceof Delivery delivery) {
      queue.resume(delivery);
    } else {
      queue.lineUp((Gathering) work);
    }
  }
}
