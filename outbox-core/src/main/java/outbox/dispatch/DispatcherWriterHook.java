package outbox.dispatch;

import java.lang.System.Logger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import outbox.EventEnvelope;
import outbox.WriterHook;
import outbox.internal.GuardedMetrics;
import outbox.internal.HeldBack;
import outbox.internal.RateLimitedLog;
import outbox.internal.SafeLogger;
import outbox.spi.Claim;
import outbox.spi.MetricsExporter;
import outbox.util.Nullable;

/**
 * The hot path: queues each event for delivery as soon as its transaction has committed.
 *
 * <p>Where the dispatcher's poller claims events, they are inserted already claimed, so that no
 * other node takes what is about to be delivered here. Events that find no room in the hot queue,
 * when they are inserted or when they are committed, stay in the database and are polled at once;
 * the business transaction never notices, and a transaction of any size keeps no more events in
 * memory than there is room for. Events that are held back until later are polled when they are
 * due. Events that are others' to deliver, because the poller's filter or the listeners here don't
 * take them, are left alone.
 */
public final class DispatcherWriterHook implements WriterHook {

  private static final Logger LOG = SafeLogger.of(DispatcherWriterHook.class);

  private final OutboxDispatcher dispatcher;
  private final HotPath hot;
  private final MetricsExporter metrics;
  private final RateLimitedLog dropped = new RateLimitedLog(LOG);

  /** Counts what finds the queue full in the dispatcher's own metrics. */
  public DispatcherWriterHook(OutboxDispatcher dispatcher) {
    this(dispatcher, dispatcher.metrics());
  }

  public DispatcherWriterHook(OutboxDispatcher dispatcher, MetricsExporter metrics) {
    this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher must not be null");
    hot = dispatcher.hot();
    this.metrics =
        GuardedMetrics.guard(Objects.requireNonNull(metrics, "metrics must not be null"));
  }

  /** Events of which one is others' to deliver are inserted free. */
  @Override
  public @Nullable Claim claim(List<EventEnvelope> events) {
    return takesAll(events) ? hot.newClaim(events) : null;
  }

  @Override
  public void unclaim(Claim claim) {
    hot.giveRoomBack(claim);
  }

  @Override
  public void afterCommit(List<EventEnvelope> events) {
    List<QueuedEvent> refused = handOver(ours(events), null, this);
    if (!refused.isEmpty()) {
      leaveToPoller(refused, null, refused.size(), lastOf(refused));
    }
    hot.wakePollerAt(HeldBack.dueTimes(events));
  }

  @Override
  public Ending ending(List<EventEnvelope> events, @Nullable Claim claim) {
    List<EventEnvelope> prompt = claim == null ? ours(events) : HeldBack.without(events);
    Object holder = claim == null ? new Object() : claim;
    int fitting = claim == null ? hot.reserveToKeep(holder, prompt) : prompt.size();
    List<EventEnvelope> left = prompt.subList(fitting, prompt.size());
    List<EventEnvelope> kept = left.isEmpty() ? prompt : List.copyOf(prompt.subList(0, fitting));
    if (claim == null) {
      hot.announce(kept, holder);
    }
    return new HotEnding(
        holder,
        claim,
        kept,
        left.size(),
        left.isEmpty() ? "" : left.get(left.size() - 1).eventId(),
        HeldBack.dueTimes(events));
  }

  /** Returns those that found no room. */
  private List<QueuedEvent> handOver(
      List<EventEnvelope> events, @Nullable Claim claim, Object writer) {
    boolean othersMayClaim = claim == null && hot.claimsEvents();
    List<QueuedEvent> refused = new ArrayList<>(0);
    for (EventEnvelope event : events) {
      QueuedEvent queued = new QueuedEvent(event, QueuedEvent.Source.HOT, 0);
      if (othersMayClaim || !hot.enqueueCommitted(queued, claim, writer)) {
        refused.add(queued);
      }
    }
    return refused;
  }

  private void leaveToPoller(
      List<QueuedEvent> refused, @Nullable Claim claim, int events, String lastEventId) {
    for (int i = 0; i < events; i++) {
      metrics.incrementHotDropped();
    }
    dropped.warn(
        events,
        count ->
            "events are delivered from the database, because the hot queue is full or closed, statuses are not written in time, or the store can't insert claimed ones: count=%d lastEventId=%s"
                .formatted(count, lastEventId));
    hot.leaveToPoller(refused, claim);
  }

  private static String lastOf(List<QueuedEvent> events) {
    return events.get(events.size() - 1).envelope().eventId();
  }

  private List<EventEnvelope> ours(List<EventEnvelope> events) {
    List<EventEnvelope> prompt = HeldBack.without(events);
    return takesAll(prompt) ? prompt : prompt.stream().filter(dispatcher::takes).toList();
  }

  private boolean takesAll(List<EventEnvelope> events) {
    for (EventEnvelope event : events) {
      if (!dispatcher.takes(event)) {
        return false;
      }
    }
    return true;
  }

  /** Of what has no room, only the number is kept until the end. */
  private final class HotEnding implements Ending {

    private final Object holder;
    private final @Nullable Claim claim;
    private final List<EventEnvelope> kept;
    private final int left;
    private final String lastLeft;
    private final Set<Instant> dueTimes;

    HotEnding(
        Object holder,
        @Nullable Claim claim,
        List<EventEnvelope> kept,
        int left,
        String lastLeft,
        Set<Instant> dueTimes) {
      this.holder = holder;
      this.claim = claim;
      this.kept = kept;
      this.left = left;
      this.lastLeft = lastLeft;
      this.dueTimes = dueTimes;
    }

    @Override
    public void committed() {
      List<QueuedEvent> refused = handOver(kept, claim, holder);
      hot.giveRoomBack(holder);
      if (left > 0 || !refused.isEmpty()) {
        leaveToPoller(refused, claim, refused.size() + left, left > 0 ? lastLeft : lastOf(refused));
      }
      hot.wakePollerAt(dueTimes);
    }

    @Override
    public void rolledBack() {
      hot.forget(kept, holder);
      hot.giveRoomBack(holder);
    }
  }
}
