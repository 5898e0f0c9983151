package outbox.webhook;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import outbox.DeferException;
import outbox.EventEnvelope;

/**
 * The events of one call. What has not begun when its time is over is put off, so that a batch ends
 * soon however slow its receivers are, and is not sent by anybody who still has it in hand.
 */
final class Batch {

  private static final int SHORTEST_DELAY_MS = 1000;

  private final List<Item> items;
  private final Duration longestWait;
  private final CompletableFuture<@Nullable Void> end;

  /**
   * @param deliveries the ends of all items, reported
   */
  Batch(List<Item> items, List<CompletableFuture<?>> deliveries, Duration longestWait) {
    this.items = items;
    this.longestWait = longestWait;
    end = CompletableFuture.allOf(deliveries.toArray(new CompletableFuture<?>[0]));
  }

  /** Starts the clock. */
  Batch within(Executor threads) {
    CompletableFuture<@Nullable Void> isLate = new CompletableFuture<>();
    var unused =
        isLate
            .completeOnTimeout(null, longestWait.toMillis(), TimeUnit.MILLISECONDS)
            .thenRunAsync(this::putOff, threads);
    var unusedEnd = end.whenComplete((done, failure) -> isLate.cancel(false));
    return this;
  }

  CompletableFuture<?> end() {
    return end;
  }

  /** What has begun goes on. */
  void putOff() {
    for (Item item : items) {
      if (item.begin()) {
        item.outcome.complete(late(item.event));
      }
    }
  }

  private DeferException late(EventEnvelope event) {
    int spread = ThreadLocalRandom.current().nextInt(2 * SHORTEST_DELAY_MS);
    return new DeferException(
        Duration.ofMillis(SHORTEST_DELAY_MS + spread),
        "event %s of type %s: not sent, because others to the same host or of the same aggregate were still before it after %d ms"
            .formatted(event.eventId(), event.eventType(), longestWait.toMillis()));
  }

  /** An event, and what became of it: its failure, or null if it is delivered. */
  static final class Item {

    private final EventEnvelope event;
    private final AtomicBoolean hasBegun = new AtomicBoolean();
    private final CompletableFuture<@Nullable Throwable> outcome = new CompletableFuture<>();

    Item(EventEnvelope event) {
      this.event = event;
    }

    EventEnvelope event() {
      return event;
    }

    CompletableFuture<@Nullable Throwable> outcome() {
      return outcome;
    }

    /** True for one caller, who then completes the outcome. */
    boolean begin() {
      return hasBegun.compareAndSet(false, true);
    }
  }
}
