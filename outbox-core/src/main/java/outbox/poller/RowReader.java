package outbox.poller;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.internal.GuardedMetrics;
import outbox.internal.PayloadMask;
import outbox.internal.SafeLogger;
import outbox.internal.Transactions;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.EventRow;
import outbox.spi.MetricsExporter;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.util.Nullable;

/**
 * Turns rows into events, one at a time, so that a bad one can't hold up the rest: a row that can
 * never be read is buried, one whose codec failed for another reason is tried again later.
 */
final class RowReader {

  private static final Logger LOG = SafeLogger.of(OutboxPoller.class);
  private static final int LONGEST_DELAY_SHIFT = 8;

  /** More than an hour: what has not passed by then is no passing fault. */
  private static final int MOST_TRIES = 100;

  private final PollerSettings settings;
  private final MetricsExporter metrics;
  private final Consumer<Instant> dueAgain;

  RowReader(PollerSettings settings, Consumer<Instant> dueAgain) {
    this.settings = settings;
    this.metrics = GuardedMetrics.guard(settings.metrics());
    this.dueAgain = dueAgain;
  }

  /** Null if the row was dealt with here. */
  @Nullable
  EventEnvelope read(OutboxEvent row, @Nullable Claim claim) {
    try {
      return EventRow.decode(row, settings.jsonCodec());
    } catch (IllegalArgumentException e) {
      bury(row, claim, e);
    } catch (RuntimeException | Error e) {
      if (row.attempts() + 1 < MOST_TRIES) {
        retry(row, claim, e);
      } else {
        bury(row, claim, e);
      }
    }
    return null;
  }

  private void bury(OutboxEvent row, @Nullable Claim claim, Throwable cause) {
    String error = describe(row, cause);
    LOG.log(Level.ERROR, () -> "event can't be read and becomes DEAD: " + row + " error=" + error);
    if (isSettled(row, claim, new Outcome.Dead(row.attempts() + 1, error))) {
      metrics.incrementDispatchDead();
      metrics.recordDead(row.eventType());
    }
  }

  /** After 0.2, 0.4, 0.8 … at most 51.2 s. */
  private void retry(OutboxEvent row, @Nullable Claim claim, Throwable cause) {
    long delayMs = 200L << Math.min(row.attempts(), LONGEST_DELAY_SHIFT);
    Instant nextAt = settings.clock().instant().plusMillis(delayMs);
    String error = describe(row, cause);
    LOG.log(
        Level.ERROR,
        () -> "event can't be read now; next try at %s: %s error=%s".formatted(nextAt, row, error));
    if (isSettled(row, claim, new Outcome.Retry(row.attempts() + 1, nextAt, error))) {
      metrics.incrementDispatchFailure();
      metrics.recordFailed(row.eventType());
    }
    dueAgain.accept(nextAt);
  }

  /** A codec is the user's, and may tell what it read. */
  private static String describe(OutboxEvent row, Throwable cause) {
    return ErrorText.harmless(ErrorText.of(cause, message -> PayloadMask.hide(message, row)));
  }

  private boolean isSettled(OutboxEvent row, @Nullable Claim claim, Outcome outcome) {
    List<Settlement> settlement = List.of(new Settlement(row.eventId(), claim, outcome));
    try {
      return Transactions.onConnection(
              settings.connectionProvider(),
              connection -> settings.outboxStore().settle(connection, settlement))
          > 0;
    } catch (SQLException | RuntimeException e) {
      LOG.log(
          Level.ERROR, () -> "status could not be written; the event is polled again: " + row, e);
      return false;
    }
  }
}
