package outbox.destination.testing;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.destination.Destination;

/** One call of {@link Destination#send}, and what became of each event, as a relay would see it. */
final class Sending implements BatchResult {

  private final List<EventEnvelope> events;
  private final Map<String, Optional<Throwable>> reports = new ConcurrentHashMap<>();
  private CompletableFuture<?> stage = new CompletableFuture<>();

  private Sending(List<EventEnvelope> events) {
    this.events = events;
  }

  static Sending of(Destination destination, List<EventEnvelope> events) {
    Sending sending = new Sending(List.copyOf(events));
    try {
      sending.stage = destination.send(sending.events, sending).toCompletableFuture();
    } catch (Throwable e) {
      sending.stage = CompletableFuture.failedFuture(e);
    }
    return sending;
  }

  @Override
  public void delivered(EventEnvelope event) {
    reports.put(event.eventId(), Optional.empty());
  }

  @Override
  public void failed(EventEnvelope event, Throwable failure) {
    reports.put(event.eventId(), Optional.of(failure));
  }

  boolean isOver() {
    return stage.isDone();
  }

  /** Waits for the end of the batch. */
  Sending await(Duration patience) throws InterruptedException {
    Throwable failure = failureOfStage(patience);
    for (EventEnvelope event : events) {
      reports.putIfAbsent(event.eventId(), Optional.ofNullable(failure));
    }
    return this;
  }

  Set<String> delivered() {
    return events.stream()
        .map(EventEnvelope::eventId)
        .filter(id -> Optional.empty().equals(reports.get(id)))
        .collect(Collectors.toSet());
  }

  /** By event id, in the order in which the events were given. */
  Map<String, Throwable> failures() {
    Map<String, Throwable> failures = new LinkedHashMap<>();
    for (EventEnvelope event : events) {
      reports
          .getOrDefault(event.eventId(), Optional.empty())
          .ifPresent(failure -> failures.put(event.eventId(), failure));
    }
    return failures;
  }

  private @Nullable Throwable failureOfStage(Duration patience) throws InterruptedException {
    try {
      stage.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return null;
    } catch (ExecutionException e) {
      return unwrapped(unwrapped(e));
    } catch (TimeoutException e) {
      throw new AssertionError(
          "stage of %d events must complete within %s".formatted(events.size(), patience), e);
    }
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean isWrapper =
        failure instanceof ExecutionException || failure instanceof CompletionException;
    return isWrapper && cause != null ? cause : failure;
  }
}
