package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import outbox.EventListener;
import outbox.internal.Require;
import outbox.internal.SafeLogger;

/** The threads that deliver: each takes what waits and has it delivered, again and again. */
final class WorkerPool {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  /** What interrupted listeners, and then the last status writes, get before close gives up. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final DispatcherSettings settings;
  private final FairQueue queue;
  private final Completer completer;
  private final LeaseKeeper leases;
  private final Intake intake;
  private final Judge judge;
  private final Deliverer deliverer;
  private final List<Thread> threads;
  private boolean closed;

  WorkerPool(
      DispatcherSettings settings,
      FairQueue queue,
      Completer completer,
      LeaseKeeper leases,
      DispatchReport report,
      Intake intake) {
    this.settings = settings;
    this.queue = queue;
    this.completer = completer;
    this.leases = leases;
    this.intake = intake;
    judge = settings.judge();
    deliverer = new Deliverer(settings, judge, queue, completer, report, intake);
    leases.also(deliverer::look);
    threads =
        Stream.generate(() -> settings.workerThreads().newThread(this::work))
            .limit(settings.workerCount())
            .map(thread -> Require.given("a thread of workerThreads", thread))
            .toList();
  }

  /** All or nothing: if a thread can't start, those that did end. */
  void start() {
    try {
      startThreads();
    } catch (Throwable e) {
      close();
      throw e;
    }
    LOG.log(Level.INFO, "dispatcher started: {0}", settings.describe());
  }

  private void startThreads() {
    if (threads.isEmpty()) {
      completer.close(Duration.ZERO); // nothing will be delivered, so callers write by themselves
    } else {
      completer.start();
      deliverer.start();
      threads.forEach(Thread::start);
    }
  }

  synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    queue.close();
    deliverer.deferNoMore();
    awaitDeliveries(settings.drainTimeout());
    List<Delivery> undelivered = new ArrayList<>(deliverer.stop());
    undelivered.addAll(queue.drain());
    threads.stream().filter(Thread::isAlive).forEach(Thread::interrupt);
    deliverer.cancelStages();
    awaitDeliveries(GRACE);
    leases.close();
    undelivered.addAll(deliverer.giveUp());
    giveBack(undelivered);
    completer.close(GRACE);
    logEnd(undelivered.size());
  }

  boolean isHeldUp(EventListener listener) {
    return deliverer.isHeldUp(listener);
  }

  private void work() {
    for (Work work = queue.take(); work != null; work = queue.take()) {
      try {
        intake.recordDepths();
        deliverer.handle(work);
      } catch (Throwable e) {
        LOG.log(Level.ERROR, "worker failed and goes on", e);
        letGo(work);
      }
      Thread.interrupted(); // what user code left behind must not reach the next listener
    }
  }

  /** What nobody deals with any more is polled again; after a normal end this has no effect. */
  private void letGo(Work work) {
    deliverer.forgo(work);
    Delivery delivery = work.delivery();
    if (delivery != null) {
      delivery.letGo();
      delivery.hold().untried();
    }
  }

  /** Doesn't wait for a completer that may be waiting for its database. */
  private void giveBack(List<Delivery> undelivered) {
    List<Completion> claimed = new ArrayList<>();
    for (Delivery delivery : undelivered) {
      if (delivery.isToBeGivenBack()) {
        claimed.add(new Completion(delivery, judge.judgeInterrupted(delivery)));
      } else {
        delivery.hold().untried();
      }
    }
    completer.completeNow(claimed, GRACE);
  }

  private void awaitDeliveries(Duration timeout) {
    long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout); // without overflow
    for (Thread thread : threads) {
      join(thread, deadline - System.nanoTime());
    }
    deliverer.awaitStages(deadline);
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
