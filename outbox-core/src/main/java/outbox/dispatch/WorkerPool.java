package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import outbox.spi.Outcome;
import outbox.util.DaemonThreadFactory;

/**
 * The threads that deliver: each takes an event, hands it over, and passes on what became of it.
 */
final class WorkerPool {

  private static final Logger LOG = System.getLogger(OutboxDispatcher.class.getName());

  /** What interrupted listeners, and then the last status writes, get before close gives up. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final DispatcherSettings settings;
  private final FairQueue queue;
  private final Completer completer;
  private final LeaseKeeper leases;
  private final DispatchReport report;
  private final Runnable afterTake;
  private final Deliverer deliverer;
  private final Judge judge;
  private final List<Thread> threads;
  private final Queue<Delivery> interrupted = new ConcurrentLinkedQueue<>();
  private boolean closed;
  private volatile boolean forced;

  WorkerPool(
      DispatcherSettings settings,
      FairQueue queue,
      Completer completer,
      LeaseKeeper leases,
      DispatchReport report,
      Runnable afterTake) {
    this.settings = settings;
    this.queue = queue;
    this.completer = completer;
    this.leases = leases;
    this.report = report;
    this.afterTake = afterTake;
    deliverer = new Deliverer(settings.listenerRegistry(), settings.interceptors());
    judge =
        new Judge(
            settings.retryPolicy(),
            settings.maxAttempts(),
            settings.completion(),
            settings.clock());
    ThreadFactory factory = new DaemonThreadFactory("outbox-worker-");
    threads =
        Stream.generate(() -> factory.newThread(this::work)).limit(settings.workerCount()).toList();
  }

  void start() {
    if (threads.isEmpty()) {
      completer.close(Duration.ZERO); // nothing will be delivered, so callers write by themselves
    } else {
      completer.start();
      threads.forEach(Thread::start);
    }
    LOG.log(Level.INFO, "dispatcher started: {0}", settings.describe());
  }

  synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    queue.close(threads.size());
    awaitWorkers(settings.drainTimeout());
    forced = true;
    List<Delivery> undelivered = queue.drain();
    List<Thread> busy = threads.stream().filter(Thread::isAlive).toList();
    busy.forEach(Thread::interrupt);
    awaitWorkers(GRACE);
    leases.close();
    undelivered.addAll(interrupted);
    giveBack(undelivered);
    completer.close(GRACE);
    logEnd(undelivered.size());
  }

  private void work() {
    for (Delivery delivery = queue.take(); delivery != null; delivery = queue.take()) {
      try {
        handle(delivery);
      } catch (Throwable e) {
        delivery.hold().untried();
        LOG.log(Level.ERROR, "worker failed and goes on: " + delivery.describe(), e);
      }
    }
  }

  private void handle(Delivery delivery) {
    afterTake.run();
    Outcome unended = delivery.isTakenOver() ? judge.judgeUnended(delivery.event()) : null;
    if (unended != null) {
      completer.complete(new Completion(delivery, unended));
    } else if (delivery.isOurs() && startCounts(delivery)) {
      deliver(delivery);
    } else {
      delivery.hold().untried();
      report.lost(delivery);
    }
  }

  /** An event that may have killed its last holder is tried only when the row counts the try. */
  private boolean startCounts(Delivery delivery) {
    Lease lease = delivery.lease();
    if (lease == null || !lease.isTakenOver()) {
      return true;
    }
    completer.complete(
        new Completion(delivery, new Outcome.Started(delivery.event().attempts() + 1)));
    return lease.awaitStart();
  }

  private void deliver(Delivery delivery) {
    Throwable failure = deliverer.deliver(delivery.envelope());
    Thread.interrupted(); // must reach neither the status write nor the next listener
    if (forced && failure != null) {
      interrupted.add(delivery); // it was close that failed it
    } else {
      completer.complete(new Completion(delivery, judge.judge(delivery.event(), failure)));
    }
  }

  /** Doesn't wait for a completer that may be waiting for its database. */
  private void giveBack(List<Delivery> undelivered) {
    List<Completion> claimed = new ArrayList<>();
    for (Delivery delivery : undelivered) {
      if (delivery.lease() == null) {
        delivery.hold().untried();
      } else {
        claimed.add(new Completion(delivery, judge.judgeInterrupted(delivery)));
      }
    }
    completer.completeNow(claimed);
  }

  private void awaitWorkers(Duration timeout) {
    long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout); // without overflow
    for (Thread thread : threads) {
      join(thread, deadline - System.nanoTime());
    }
  }

  private static void join(Thread thread, long nanos) {
    try {
      if (nanos > 0 && thread != Thread.currentThread()) {
        TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void logEnd(int undelivered) {
    long stuck = threads.stream().filter(Thread::isAlive).count();
    Level level = undelivered + stuck == 0 ? Level.INFO : Level.WARNING;
    LOG.log(
        level,
        () ->
            "dispatcher stopped; what is left stays in the database and is delivered from there: undelivered=%d stillRunning=%d"
                .formatted(undelivered, stuck));
  }
}
