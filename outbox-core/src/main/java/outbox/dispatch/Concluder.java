package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import outbox.AsyncBatchEventListener;
import outbox.internal.SafeLogger;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/** Ends tries: tells the interceptors, judges the result, and has the outcome written. */
final class Concluder {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  private final Interceptors interceptors;
  private final Judge judge;
  private final Completer completer;
  private final DispatchReport report;
  private @Nullable List<Delivery> undelivered = new ArrayList<>();
  private volatile boolean forced;

  Concluder(Interceptors interceptors, Judge judge, Completer completer, DispatchReport report) {
    this.interceptors = interceptors;
    this.judge = judge;
    this.completer = completer;
    this.report = report;
  }

  /** For workers, which wait while too many outcomes are unwritten. */
  void conclude(Attempt attempt, @Nullable Throwable failure) {
    Thread.interrupted(); // must reach neither an interceptor nor the next listener
    end(attempt, failure, completer::complete);
    Thread.interrupted();
  }

  /** For threads that belong to others and must not be kept. */
  void concludeAtOnce(Attempt attempt, @Nullable Throwable failure) {
    end(attempt, failure, completer::completeAtOnce);
  }

  /** These wait no longer for a listener that gets nowhere; nothing was tried. */
  void putOff(List<Delivery> waiting, AsyncSlots.Stall stall) {
    for (Delivery delivery : waiting) {
      Outcome later = judge.judgeStalled(delivery.event(), stall.idle());
      completer.completeAtOnce(new Completion(delivery, later));
    }
    report.putOff(waiting, stall);
    if (stall.listener() instanceof AsyncBatchEventListener listener && !stall.idle().isZero()) {
      tell(listener, stall.idle());
    }
  }

  /** From now on it is close that makes tries fail, and they don't count. */
  void force() {
    forced = true;
  }

  /** Close came before the event was tried, or before the try was over. */
  void giveUp(Delivery delivery) {
    if (!isGivenBackByClose(delivery)) {
      giveBack(delivery);
    }
  }

  /** What close has to give back; whatever comes later is given back where it ends. */
  synchronized List<Delivery> takeUndelivered() {
    List<Delivery> taken = undelivered == null ? List.of() : undelivered;
    undelivered = null;
    return taken;
  }

  private static void tell(AsyncBatchEventListener listener, Duration stalled) {
    try {
      listener.endedNothingFor(stalled);
    } catch (Throwable e) {
      LOG.log(Level.ERROR, () -> "endedNothingFor() failed: " + listener, e);
    }
  }

  private synchronized boolean isGivenBackByClose(Delivery delivery) {
    return undelivered != null && undelivered.add(delivery);
  }

  private void giveBack(Delivery delivery) {
    if (delivery.isToBeGivenBack()) {
      completer.complete(new Completion(delivery, judge.judgeInterrupted(delivery)));
    } else {
      delivery.hold().untried();
    }
  }

  /** Whatever breaks, it concerns this event alone. */
  private void end(Attempt attempt, @Nullable Throwable failure, Consumer<Completion> write) {
    Delivery delivery = attempt.delivery();
    attempt.ends();
    try {
      report.listened(attempt, failure);
      interceptors.leave(attempt, failure);
      Outcome outcome = judge(delivery, failure);
      if (outcome != null) {
        write.accept(new Completion(delivery, outcome));
      }
    } catch (Throwable e) {
      delivery.hold().untried();
      LOG.log(Level.ERROR, "try could not be ended and is made again: " + delivery.describe(), e);
    }
  }

  /** Null if the event is to be given back. */
  private @Nullable Outcome judge(Delivery delivery, @Nullable Throwable failure) {
    if (forced && failure != null) {
      giveUp(delivery);
      return null;
    }
    Outcome outcome = judge.judge(delivery.event(), failure);
    if (failure != null && !counts(outcome, delivery)) {
      report.uncounted(delivery, failure);
    }
    return outcome;
  }

  private static boolean counts(Outcome outcome, Delivery delivery) {
    return outcome instanceof Outcome.Dead
        || (outcome instanceof Outcome.Retry retry
            && retry.attempts() > delivery.event().attempts());
  }
}
