package outbox.destination;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import outbox.AsyncBatchEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.internal.BatchMarks;

/**
 * Gets events to the one destination that they can have. If other events of their aggregates come
 * there as {@linkplain Copy copies}, those that are to be in order come as copies, too: what waits
 * as a copy would be overtaken by what is sent as it is.
 */
final class SoleDestination implements AsyncBatchEventListener {

  private final GuardedDestination destination;
  private final boolean copiesInOrder;
  private final RouteTable routes;
  private final FanOut fanOut;
  private volatile boolean onlyCopies;

  SoleDestination(
      GuardedDestination destination, boolean copiesInOrder, RouteTable routes, FanOut fanOut) {
    this.destination = destination;
    this.copiesInOrder = copiesInOrder;
    this.routes = routes;
    this.fanOut = fanOut;
  }

  @Override
  public CompletionStage<?> onEventsAsync(List<EventEnvelope> events, BatchResult result) {
    List<EventEnvelope> toSend = new ArrayList<>();
    List<EventEnvelope> toCopy = new ArrayList<>();
    for (EventEnvelope event : events) {
      if (routes.destinationsOf(event).isEmpty()) {
        result.failed(event, DestinationRoutes.unroutable(event));
      } else {
        (copiesInOrder && isInOrder(event) ? toCopy : toSend).add(event);
      }
    }
    onlyCopies = toSend.isEmpty() && !toCopy.isEmpty();
    if (!toCopy.isEmpty()) {
      copy(toCopy, result);
    }
    return toSend.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : destination.onEventsAsync(toSend, result);
  }

  /** A copy needs no place with the destination. */
  @Override
  public int maxBatch() {
    return onlyCopies ? fanOut.maxBatch() : destination.maxBatch();
  }

  /** Nor does it need the destination. */
  @Override
  public boolean isAway() {
    return !copiesInOrder && destination.isAway();
  }

  @Override
  public void endedNothingFor(Duration stalled) {
    if (!onlyCopies) {
      destination.endedNothingFor(stalled);
    }
  }

  @Override
  public String toString() {
    return destination.toString();
  }

  /**
   * An ordered outbox numbers what it delivers; what has no aggregate id waits for nobody. One with
   * {@code singleActive} numbers it, too, and can't be told apart: it has rows that it doesn't
   * need.
   */
  private static boolean isInOrder(EventEnvelope event) {
    return event.aggregateId() != null && event.header(EventHeaders.SEQUENCE) != null;
  }

  private void copy(List<EventEnvelope> events, BatchResult result) {
    BatchMarks marks = new BatchMarks(events);
    marks.run(() -> fanOut.onEvents(events, marks));
    for (EventEnvelope event : events) {
      Throwable failure = marks.failureOf(event);
      if (failure == null) {
        result.delivered(event);
      } else {
        result.failed(event, failure);
      }
    }
  }
}
