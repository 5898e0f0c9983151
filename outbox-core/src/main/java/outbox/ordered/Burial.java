package outbox.ordered;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.GuardedMetrics;
import outbox.internal.SafeLogger;
import outbox.internal.Transactions;
import outbox.spi.ConnectionProvider;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.spi.Outcome;
import outbox.spi.Settlement;

/**
 * Ends events whose rows can't be read: a row that can never be an event is dead, one whose codec
 * failed for another reason is read again later.
 */
final class Burial {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final ConnectionProvider connections;
  private final OutboxStore fenced;
  private final MetricsExporter metrics;
  private final Clock clock;

  Burial(ConnectionProvider connections, OutboxStore fenced, MetricsExporter metrics) {
    this.connections = connections;
    this.metrics = GuardedMetrics.guard(metrics);
    this.fenced = fenced;
    this.clock = fenced.clock();
  }

  void bury(List<Turn> faulty) {
    faulty.forEach(this::bury);
  }

  private void bury(Turn turn) {
    Outcome outcome = judge(turn.entry(), Objects.requireNonNull(turn.entry().fault()));
    boolean isWritten = false;
    try {
      List<Settlement> settlements = List.of(new Settlement(turn.entry().eventId(), null, outcome));
      isWritten =
          Transactions.inTransaction(
                  connections, connection -> fenced.settle(connection, settlements))
              > 0;
      if (isWritten) {
        count(turn.entry(), outcome);
      }
    } catch (Exception e) {
      LOG.log(
          Level.ERROR,
          () -> "status could not be written; the event is read again: " + turn.entry().eventId(),
          e);
    } finally {
      turn.ended(isWritten && outcome instanceof Outcome.Dead ? outcome : null);
    }
  }

  /** Of what can't be read not even the type is known. */
  private void count(Entry entry, Outcome outcome) {
    String eventType = entry.event().envelope().eventType();
    if (outcome instanceof Outcome.Dead) {
      metrics.incrementDispatchDead();
      metrics.recordDead(eventType);
    } else {
      metrics.incrementDispatchFailure();
      metrics.recordFailed(eventType);
    }
  }

  private Outcome judge(Entry entry, Entry.Fault fault) {
    LOG.log(
        Level.ERROR,
        () ->
            "event can't be read and %s: eventId=%s error=%s"
                .formatted(
                    fault.isHopeless() ? "becomes DEAD" : "is read again later",
                    entry.eventId(),
                    fault.error()));
    int attempts = entry.event().attempts() + 1;
    return fault.isHopeless()
        ? new Outcome.Dead(attempts, fault.error())
        : new Outcome.Retry(attempts, clock.instant().plus(PAUSE), fault.error());
  }
}
