package outbox.rabbitmq;

import java.time.Duration;
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
 *
 * <p>Whoever is nacked is put off. If that becomes of all, the last one tells of an outage.
 */
final class Batch {

  /** As long as a guard leaves a destination alone; up to half as much again is added. */
  private static final int NACKED_MILLIS = 5000;

  private final BatchResult result;
  private final AtomicInteger unheard;
  private final AtomicInteger unanswered;
  private final CompletableFuture<Void> stage = new CompletableFuture<>();
  private final Map<Key, Failed> firstFailures = new ConcurrentHashMap<>();
  private volatile boolean anyTakenOrRefused;

  Batch(int size, BatchResult result) {
    this.result = result;
    unheard = new AtomicInteger(size);
    unanswered = new AtomicInteger(size);
    if (size == 0) {
      stage.complete(null);
    }
  }

  CompletableFuture<Void> stage() {
    return stage;
  }

  void delivered(EventEnvelope event) {
    anyTakenOrRefused = true;
    unheard.decrementAndGet();
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
    result.failed(event, told(failure));
    answered();
  }

  /** What to fail the event with, because one before it has failed; null if none has. */
  @Nullable Throwable obstacle(EventEnvelope event, int position) {
    Key key = firstFailures.isEmpty() ? null : Key.of(event);
    Failed before = key == null ? null : firstFailures.get(key);
    return before == null || before.position > position ? null : before.obstacleOf(event);
  }

  private Throwable told(Throwable failure) {
    boolean isNacked = failure instanceof NackedException;
    if (!isNacked) {
      anyTakenOrRefused = true;
    }
    boolean isLast = unheard.decrementAndGet() == 0; // and sees what all before it have set
    return isNacked && (anyTakenOrRefused || !isLast) ? putOff(failure) : failure;
  }

  private static DeferException putOff(Throwable failure) {
    int more = ThreadLocalRandom.current().nextInt(NACKED_MILLIS / 2);
    return new DeferException(
        Duration.ofMillis(NACKED_MILLIS + more), String.valueOf(failure.getMessage()));
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
      String told =
          "event %s (%s) was not sent, because event %s of the same aggregate before it has failed"
              .formatted(later.eventId(), later.eventType(), event.eventId());
      if (failure instanceof NackedException) {
        return new NackedException(told);
      }
      if (failure instanceof UnavailableException) {
        return failure;
      }
      int spread = ThreadLocalRandom.current().nextInt(SPREAD_MILLIS);
      return new DeferException(DeferException.SHORTEST_DELAY.plusMillis(spread), told);
    }
  }
}
