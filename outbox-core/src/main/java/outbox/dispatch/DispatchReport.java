package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import outbox.internal.RateLimitedLog;
import outbox.internal.SafeLogger;
import outbox.spi.MetricsExporter;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/** Says what became of each event: one metric, one log line, and when it is due again. */
final class DispatchReport {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  private final MetricsExporter metrics;
  private final FailureText failureText;
  private final Clock clock;
  private final Consumer<Instant> dueAgain;
  private final Runnable givenBack;
  private final RateLimitedLog notOurs = new RateLimitedLog(LOG);
  private final RateLimitedLog postponed = new RateLimitedLog(LOG);
  private final RateLimitedLog refused = new RateLimitedLog(LOG);
  private final RateLimitedLog leftClaimed = new RateLimitedLog(LOG);
  private final RateLimitedLog notRenewed = new RateLimitedLog(LOG);
  private final RateLimitedLog lost = new RateLimitedLog(LOG);
  private final RateLimitedLog stalled = new RateLimitedLog(LOG);
  private final RateLimitedLog unroutable = new RateLimitedLog(LOG);

  DispatchReport(
      DispatcherSettings settings,
      MetricsExporter metrics,
      Consumer<Instant> dueAgain,
      Runnable givenBack) {
    this.metrics = metrics;
    failureText = settings.failureText();
    clock = settings.clock();
    this.dueAgain = dueAgain;
    this.givenBack = givenBack;
  }

  void written(Completion completion, boolean isOurs) {
    Delivery delivery = completion.delivery();
    Outcome outcome = completion.outcome();
    if (outcome instanceof Outcome.Released) {
      givenBack.run();
    } else if (!isOurs) {
      notOurs(delivery);
    } else if (outcome instanceof Outcome.Delivered) {
      delivered(delivery);
    } else if (outcome instanceof Outcome.Retry retry) {
      retrying(delivery, retry);
    } else if (outcome instanceof Outcome.Deferred deferred) {
      dueAgain.accept(deferred.nextAt());
    } else if (outcome instanceof Outcome.Dead dead) {
      buried(delivery, dead);
    }
  }

  /** One transaction wrote these; renewals and starts are not what became of events. */
  void wrote(List<Completion> group) {
    long ends = group.stream().filter(completion -> completion.outcome().isEnd()).count();
    if (ends > 0) {
      metrics.recordCompletions((int) ends);
    }
  }

  /** What a listener took, if one was called. */
  void listened(Attempt attempt, @Nullable Throwable failure) {
    Duration time = attempt.listenerTime();
    if (time != null && !(failure instanceof UnroutableEventException)) {
      metrics.recordListenerTime(attempt.envelope().eventType(), failure == null, time);
    }
  }

  /** A try failed that doesn't count, so that the row may not tell why. */
  void uncounted(Delivery delivery, Throwable failure) {
    if (failure instanceof UnroutableEventException) {
      unroutable.warn(
          1,
          count ->
              "no listener is registered here, so events are left to other nodes for now: count=%d last: %s"
                  .formatted(count, delivery.describe()));
    }
    LOG.log(
        Level.DEBUG,
        () ->
            "delivery is put off and no attempt is counted: %s error=%s"
                .formatted(delivery.describe(), failureText.of(delivery.envelope(), failure)));
  }

  /** Events wait no longer for a listener that gets nowhere. */
  void putOff(List<Delivery> events, AsyncSlots.Stall stall) {
    stalled.warn(
        events.size(),
        count ->
            "a listener takes no more events, and those that wait for it are put off to make room for others; no attempt is counted and they come again by themselves; see why it is slow, or let it take more at once: count=%d listener=%s forMillis=%d last: %s"
                .formatted(
                    count,
                    stall.listener(),
                    stall.length().toMillis(),
                    events.get(events.size() - 1).describe()));
  }

  /** The event was handled but its row doesn't say so yet. */
  void postponed(Completion completion, Throwable cause) {
    postponed.warn(
        1,
        count ->
            "status could not be written and is tried again: count=%d last: %s cause=%s"
                .formatted(count, completion.delivery().describe(), cause));
  }

  /** The event was handled, and its row will not say so until somebody has seen to that. */
  void refused(Completion completion, boolean isNews, Throwable cause) {
    if (isNews) {
      LOG.log(
          Level.ERROR,
          () ->
              "the database refuses the status of an event; it is tried again every minute, and the event is delivered again only when this process is restarted; see what refuses it, a trigger or a constraint, or set the status by hand: %s outcome=%s"
                  .formatted(
                      completion.delivery().describe(),
                      completion.outcome().getClass().getSimpleName()),
          cause);
    } else {
      refused.warn(
          1,
          count ->
              "the database still refuses statuses, which are tried again every minute: count=%d last: %s cause=%s"
                  .formatted(count, completion.delivery().describe(), cause));
    }
  }

  void unwritten(List<Completion> completions, @Nullable Throwable cause) {
    Completion first = completions.get(0);
    LOG.log(
        Level.ERROR,
        () ->
            "status could not be written; the event is delivered again after its lock expires, and tries whose end can't be written count at their start: count=%d first: %s outcome=%s"
                .formatted(
                    completions.size(),
                    first.delivery().describe(),
                    first.outcome().getClass().getSimpleName()),
        cause);
  }

  /** There was no room for the event, and none to give its claim back either. */
  void leftClaimed(Delivery delivery) {
    leftClaimed.warn(
        1,
        count ->
            "overflowing events could not be given back and wait for their claims to expire; the database can't keep up: count=%d last: %s"
                .formatted(count, delivery.describe()));
  }

  void notRenewed(Delivery delivery, Throwable cause) {
    notRenewed.warn(
        1,
        count ->
            "claims could not be renewed, which is tried again; if they expire, other nodes deliver their events: count=%d last: %s cause=%s"
                .formatted(count, delivery.describe(), cause));
  }

  /** The event waited here for longer than it was ours. */
  void lost(Delivery delivery) {
    countLoss(delivery);
    lost.warn(
        1,
        count ->
            "claim expired before delivery and the event was left to others, because it was not renewed in time; see whether this process or its database stood still: count=%d last: %s"
                .formatted(count, delivery.describe()));
  }

  private void delivered(Delivery delivery) {
    metrics.incrementDispatchSuccess();
    if (metrics != MetricsExporter.NOOP) {
      metrics.recordDelivered(delivery.envelope().eventType(), delivery.latency(clock));
    }
  }

  private void notOurs(Delivery delivery) {
    countLoss(delivery);
    notOurs.warn(
        1,
        count ->
            "%s, so nothing was changed; the event may be delivered twice: count=%d last: %s"
                .formatted(
                    delivery.lease() == null
                        ? "the event had ended or was deleted meanwhile"
                        : "lost the lease of an event to another node",
                    count,
                    delivery.describe()));
  }

  /** Whoever has the event in custody counts the loss of what it has that by. */
  private void countLoss(Delivery delivery) {
    Lease lease = delivery.lease();
    if (lease != null && lease.claim() != null && lease.isLossNews()) {
      metrics.incrementLostLeases();
    }
  }

  private void retrying(Delivery delivery, Outcome.Retry retry) {
    metrics.incrementDispatchFailure();
    metrics.recordFailed(delivery.envelope().eventType());
    dueAgain.accept(retry.nextAt());
    LOG.log(
        Level.DEBUG,
        () ->
            "delivery failed and is tried again: %s nextAt=%s error=%s"
                .formatted(delivery.describe(), retry.nextAt(), retry.error()));
  }

  private void buried(Delivery delivery, Outcome.Dead dead) {
    metrics.incrementDispatchDead();
    metrics.recordDead(delivery.envelope().eventType());
    LOG.log(
        Level.ERROR,
        () ->
            "event is DEAD and stays so until it is replayed: %s error=%s"
                .formatted(delivery.describe(), dead.error()));
  }
}
