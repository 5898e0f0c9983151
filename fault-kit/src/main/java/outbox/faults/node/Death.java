package outbox.faults.node;

import java.util.concurrent.atomic.AtomicInteger;

/** Ends the process at its point, without any farewell. */
final class Death {

  /** So many statuses at once are a group. */
  private static final int GROUP = 10;

  private final KillPoint point;
  private final AtomicInteger left;

  Death(KillPoint point, int times) {
    this.point = point;
    left = new AtomicInteger(times);
  }

  void at(KillPoint here) {
    if (comes(here)) {
      now();
    }
  }

  /** The same if a group of statuses is changed in a transaction that is still to be committed. */
  void amid(KillPoint here, int statuses) {
    if (statuses >= GROUP && comes(here)) {
      System.err.println("ends before the commit of " + statuses + " statuses");
      now();
    }
  }

  static void now() {
    Runtime.getRuntime().halt(137);
  }

  private boolean comes(KillPoint here) {
    return here == point && left.decrementAndGet() == 0;
  }
}
