package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import outbox.internal.SafeLogger;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/**
 * Begins tries: only of events that are still ours, that count already if they may have killed
 * their last holder, and that every interceptor lets through.
 */
final class Starter {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  private final Judge judge;
  private final Completer completer;
  private final DispatchReport report;
  private final Interceptors interceptors;
  private final Concluder concluder;
  private final Suspects suspects;

  Starter(
      Judge judge,
      Completer completer,
      DispatchReport report,
      Interceptors interceptors,
      Concluder concluder,
      Suspects suspects) {
    this.judge = judge;
    this.completer = completer;
    this.report = report;
    this.interceptors = interceptors;
    this.concluder = concluder;
    this.suspects = suspects;
  }

  /** Null if the listener is not to be called; the event is dealt with then. */
  @Nullable
  Attempt start(Delivery delivery) {
    return prepare(delivery) && isCounted(delivery) ? enter(delivery) : null;
  }

  /** Those whose listener is to be called; what has to be counted is written together. */
  List<Attempt> start(List<Delivery> deliveries) {
    List<Delivery> prepared = deliveries.stream().filter(this::prepare).toList();
    return prepared.stream()
        .filter(this::isCounted)
        .map(this::enter)
        .filter(Objects::nonNull)
        .toList();
  }

  private boolean prepare(Delivery delivery) {
    try {
      return mayBegin(delivery);
    } catch (Throwable e) {
      delivery.hold().untried();
      LOG.log(Level.ERROR, "try could not begin; the event is polled: " + delivery.describe(), e);
      return false;
    }
  }

  private boolean mayBegin(Delivery delivery) {
    Outcome unended = delivery.isTakenOver() ? judge.judgeUnended(delivery.event()) : null;
    if (unended != null) {
      completer.complete(new Completion(delivery, unended));
      return false;
    }
    if (!delivery.isOurs()) {
      return lost(delivery);
    }
    if (delivery.isSuspect() && !suspects.admit(delivery)) {
      return false;
    }
    if (delivery.isTakenOver()) {
      int tries = delivery.event().attempts() + 1;
      completer.complete(new Completion(delivery, new Outcome.Started(tries)));
    }
    return true;
  }

  /** Writing may have taken so long that others have the event by now. */
  private boolean isCounted(Delivery delivery) {
    Lease lease = delivery.lease();
    if (lease == null || !lease.isTakenOver()) {
      return true;
    }
    if (!lease.awaitStart()) {
      return lost(delivery);
    }
    return delivery.isOurs() || tooLate(delivery);
  }

  /** The try that was counted is not made. */
  private boolean tooLate(Delivery delivery) {
    completer.complete(new Completion(delivery, judge.judgeInterrupted(delivery)));
    report.lost(delivery);
    return false;
  }

  private boolean lost(Delivery delivery) {
    delivery.hold().untried();
    report.lost(delivery);
    return false;
  }

  private @Nullable Attempt enter(Delivery delivery) {
    Attempt attempt = new Attempt(delivery);
    Throwable failure = interceptors.enter(attempt);
    if (failure == null) {
      return attempt;
    }
    concluder.conclude(attempt, failure);
    return null;
  }
}
