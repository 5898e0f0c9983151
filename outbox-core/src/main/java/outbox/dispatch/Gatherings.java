package outbox.dispatch;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;
import outbox.BatchEventListener;
import outbox.EventListener;

/**
 * Gathers the events of batch listeners. A listener's batch lines up behind whatever waits when its
 * first event comes, so it takes along all of its events among them, and those that come while the
 * one before is being delivered; when nothing waits, its turn is at once.
 */
final class Gatherings {

  private final FairQueue queue;

  /** Those that have events or are busy, by identity: a registry may make a listener per call. */
  private final IdentityHashMap<BatchEventListener, Gathering> gatherings = new IdentityHashMap<>();

  private boolean drained;

  Gatherings(FairQueue queue) {
    this.queue = queue;
  }

  /** False if everything was taken out already. */
  synchronized boolean add(BatchEventListener listener, Delivery delivery) {
    if (drained) {
      return false;
    }
    Gathering gathering = gatherings.computeIfAbsent(listener, Gathering::new);
    gathering.events.addLast(delivery);
    queue.park(delivery);
    if (!gathering.isBusy) {
      lineUp(gathering);
    }
    return true;
  }

  /** The next batch; no other one of its listener comes before {@link #ended}. */
  synchronized List<Delivery> next(Gathering gathering, int most) {
    List<Delivery> batch = new ArrayList<>();
    while (batch.size() < most && !gathering.events.isEmpty()) {
      batch.add(gathering.events.removeFirst());
    }
    queue.unpark(batch);
    return batch;
  }

  synchronized int size(Gathering gathering) {
    return gathering.events.size();
  }

  synchronized void ended(Gathering gathering) {
    if (gathering.events.isEmpty()) {
      gathering.isBusy = false;
      gatherings.remove(gathering.listener);
    } else {
      lineUp(gathering);
    }
  }

  /** Takes out those of the events that wait for the next batch of this listener. */
  synchronized List<Delivery> takeOut(EventListener listener, Predicate<Delivery> which) {
    Gathering gathering = gatherings.get(listener);
    if (gathering == null) {
      return List.of();
    }
    List<Delivery> out = new ArrayList<>();
    gathering.events.removeIf(event -> which.test(event) && out.add(event));
    queue.unpark(out);
    return out;
  }

  /** Takes out everything that waits, for good. */
  synchronized List<Delivery> drain() {
    drained = true;
    List<Delivery> left = new ArrayList<>();
    for (Gathering gathering : gatherings.values()) {
      left.addAll(gathering.events);
      gathering.events.clear();
    }
    queue.unpark(left);
    return left;
  }

  private void lineUp(Gathering gathering) {
    gathering.isBusy = true;
    gathering.waitWhereTheFirstDid();
    queue.lineUp(gathering);
  }
}
