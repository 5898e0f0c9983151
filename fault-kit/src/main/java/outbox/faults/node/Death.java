package outbox.faults.node;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Ends the process at its point, without any farewell. */
final class Death {

  private static final long SOON_NANOS = 300_000;

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

  /** While the caller goes on. */
  void soonAt(KillPoint here) {
    if (comes(here)) {
      new Thread(
              () -> {
                LockSupport.parkNanos(SOON_NANOS);
                now();
              })
          .start();
    }
  }

  static void now() {
    Runtime.getRuntime().halt(137);
  }

  private boolean comes(KillPoint here) {
    return here == point && left.decrementAndGet() == 0;
  }
}
