package outbox.dispatch;

import java.util.Objects;
import outbox.EventEnvelope;
import outbox.poller.OutboxPoller;
import outbox.poller.OutboxPollerHandler;
import outbox.spi.Claim;
import outbox.spi.Fetched;
import outbox.util.Nullable;

/** The cold path: queues what the poller found, for as long as the cold queue has room. */
public final class DispatcherPollerHandler implements OutboxPollerHandler {

  private final OutboxDispatcher dispatcher;
  private volatile boolean hasNews;

  public DispatcherPollerHandler(OutboxDispatcher dispatcher) {
    this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher must not be null");
  }

  @Override
  public boolean handle(EventEnvelope event, int attempts) {
    return dispatcher.enqueueFetched(cold(event, attempts), null, null);
  }

  @Override
  public boolean handle(EventEnvelope event, Fetched fetched, @Nullable Claim claim) {
    Lease lease = claim == null ? null : new Lease(claim, fetched.takenOver());
    QueuedEvent queued = cold(event, fetched.event().attempts());
    return dispatcher.enqueueFetched(queued, lease, fetched.lateSince());
  }

  @Override
  public int availableCapacity() {
    return dispatcher.roomForFetched();
  }

  @Override
  public long availableBytes() {
    return dispatcher.availableBytes();
  }

  @Override
  public void pollStarts() {
    dispatcher.pollStarts();
  }

  @Override
  public void pollEnds() {
    hasNews = dispatcher.pollEnds();
  }

  @Override
  public boolean hasNews() {
    return hasNews;
  }

  @Override
  public void attached(OutboxPoller poller) {
    dispatcher.attach(poller);
  }

  private static QueuedEvent cold(EventEnvelope event, int attempts) {
    return new QueuedEvent(event, QueuedEvent.Source.COLD, attempts);
  }
}
