package outbox.rabbitmq;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * What waits to be published, in order. Suspects come first: they were published before, and one of
 * them has cost the others their channel.
 */
final class Intake {

  private final Deque<Outgoing> suspects = new ArrayDeque<>();
  private final Deque<Outgoing> fresh = new ArrayDeque<>();
  private boolean closed;
  private boolean stopped;

  /** False, and nothing was taken in, after {@link #close}. */
  synchronized boolean offer(List<Outgoing> events) {
    if (closed) {
      return false;
    }
    fresh.addAll(events);
    notifyAll();
    return true;
  }

  /** False, and nothing was taken in, after {@link #stop}. */
  synchronized boolean suspect(List<Outgoing> events) {
    if (stopped) {
      return false;
    }
    suspects.addAll(events);
    notifyAll();
    return true;
  }

  /** What couldn't be sent for want of a channel goes first with the next one. */
  synchronized boolean putBack(Next next) {
    if (stopped) {
      return false;
    }
    (next.isSuspect() ? suspects : fresh).addFirst(next.event());
    return true;
  }

  /** Waits for the next event. */
  synchronized Next take() throws InterruptedException {
    while (suspects.isEmpty() && fresh.isEmpty()) {
      wait();
    }
    Outgoing suspect = suspects.poll();
    return suspect == null ? new Next(fresh.remove(), false) : new Next(suspect, true);
  }

  /** Takes those suspects away. */
  synchronized List<Outgoing> takeSuspects(Predicate<Outgoing> which) {
    List<Outgoing> taken = suspects.stream().filter(which).toList();
    suspects.removeAll(taken);
    return taken;
  }

  /** Takes everything away. */
  synchronized List<Outgoing> takeAll() {
    List<Outgoing> taken = new ArrayList<>(suspects);
    taken.addAll(fresh);
    suspects.clear();
    fresh.clear();
    return taken;
  }

  /** What is here is still published. */
  synchronized void close() {
    closed = true;
  }

  /** Nothing is published any more; takes everything away. */
  synchronized List<Outgoing> stop() {
    closed = true;
    stopped = true;
    return takeAll();
  }

  /** A suspect is published alone, so that it is known what its channel died of. */
  record Next(Outgoing event, boolean isSuspect) {}
}
