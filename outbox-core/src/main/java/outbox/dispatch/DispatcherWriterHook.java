package outbox.dispatch;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import outbox.EventEnvelope;
import outbox.WriterHook;
import outbox.internal.GuardedMetrics;
import outbox.internal.RateLimitedLog;
import outbox.spi.Claim;
import outbox.spi.MetricsExporter;
import outbox.util.Nullable;

/**
 * The hot path: queues each event for delivery as soon as its transaction has committed.
 *
 * <p>Where the dispatcher's poller claims events, they are inserted already claimed, so that no
 * other node takes what is about to be delivered here. Events that find no room in the hot queue,
 * when they are inserted or when they are committed, stay in the database and are polled at once;
 * the business transaction never notices.
 */
public final class DispatcherWriterHook implements WriterHook {

  private static final Logger LOG = System.getLogger(DispatcherWriterHook.class.getName());

  private final OutboxDispatcher dispatcher;
  private final MetricsExporter metrics;
  private final RateLimitedLog dropped = new RateLimitedLog(LOG);

  /** Counts what finds the queue full in the dispatcher's own metrics. */
  public DispatcherWriterHook(OutboxDispatcher dispatcher) {
    this(dispatcher, dispatcher.metrics());
  }

  public DispatcherWriterHook(OutboxDispatcher dispatcher, MetricsExporter metrics) {
    this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher must not be null");
    this.metrics =
        GuardedMetrics.guard(Objects.requireNonNull(metrics, "metrics must not be null"));
  }

  @Override
  public @Nullable Claim claim(int events) {
    return dispatcher.newClaim(events);
  }

  @Override
  public void afterWrite(List<EventEnvelope> events) {
    if (!dispatcher.claimsEvents()) {
      dispatcher.announce(events);
    }
  }

  @Override
  public void afterRollback(List<EventEnvelope> events) {
    dispatcher.forget(events);
  }

  @Override
  public void afterCommit(List<EventEnvelope> events) {
    afterCommit(events, null);
  }

  @Override
  public void afterCommit(List<EventEnvelope> events, @Nullable Claim claim) {
    boolean othersMayClaim = claim == null && dispatcher.claimsEvents();
    List<QueuedEvent> refused = new ArrayList<>(0);
    for (EventEnvelope event : events) {
      QueuedEvent queued = new QueuedEvent(event, QueuedEvent.Source.HOT, 0);
      if (othersMayClaim || !dispatcher.enqueueCommitted(queued, claim)) {
        refused.add(queued);
      }
    }
    if (!refused.isEmpty()) {
      drop(refused, claim);
    }
  }

  private void drop(List<QueuedEvent> refused, @Nullable Claim claim) {
    refused.forEach(event -> metrics.incrementHotDropped());
    dropped.warn(
        refused.size(),
        count ->
            "events are delivered from the database, because the hot queue is full or closed or the store can't insert claimed ones: count=%d lastEventId=%s"
                .formatted(count, refused.get(refused.size() - 1).envelope().eventId()));
    dispatcher.leaveToPoller(refused, claim);
  }
}
