package outbox.rabbitmq;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import outbox.BatchResult;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.destination.UnavailableException;

/**
 * Events that were given together, and the stage that ends with the last answer. Where one has
 * failed, those of its key that come after it in the batch are not to be published any more.
 */
final class Batch {

  private final BatchResult result;
  private final AtomicInteger unanswered;
  private final CompletableFuture<Void> stage = new CompletableFuture<>();
  private final Map<Key, Failed> firstFailures = new ConcurrentHashMap<>();

  Batch(int size, BatchResult result) {
    this.result = result;
    unanswered = new AtomicInteger(size);
    if (size == 0) {
      stage.complete(null);
    }
  }

  CompletableFuture<Void> stage() {
    return stage;
  }

  void delivered(EventEnvelope event) {
    result.delivered(event);
    answered();
  }

  /**
   * @param position of the event in the batch
   */
  void failed(EventEnvelope event, int position, Throwable failure) {
    Key key = Key.of(event);
    if (key != null) {
      firstFailures.merge(key, new Failed(event, position, failure), Failed::first);
    }
    result.failed(event, failure);
    answered();
  }

  /** What to fail the event with, because one before it has failed; null if none has. */
  @Nullable Throwable obstacle(EventEnvelope event, int position) {
    Key key = firstFailures.isEmpty() ? null : Key.of(event);
    Failed before = key == null ? null : firstFailures.get(key);
    return before == null || before.position > position ? null : before.obstacleOf(event);
  }

  private void answered() {
    if (unanswered.decrementAndGet() == 0) {
      stage.complete(null);
    }
  }

  /** What has to keep its order. */
  private record Key(String aggregateType, String aggregateId) {

    static @Nullable Key of(EventEnvelope event) {
      String id = event.aggregateId();
      return id == null ? null : new Key(event.aggregateType(), id);
    }
  }

  private record Failed(EventEnvelope event, int position, Throwable failure) {

    private static final int SPREAD_MILLIS = 1000;

    static Failed first(Failed one, Failed other) {
      return one.position < other.position ? one : other;
    }

    /** Whatever it is, it isn't the other event's fault. */
    Throwable obstacleOf(EventEnvelope later) {
      if (failure instanceof UnavailableException) {
        return failure;
      }
      int spread = ThreadLocalRandom.current().nextInt(SPREAD_MILLIS);
      return new DeferException(
          DeferException.SHORTEST_DELAY.plusMillis(spread),
          "event %s (%s) was not sent, because event %s of the same aggregate before it has failed"
              .formatted(later.eventId(), later.eventType(), event.eventId()));
    }
  }
}
