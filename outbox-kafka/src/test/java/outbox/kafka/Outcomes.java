package outbox.kafka;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.destination.Destination;

/** What became of each event of a batch. */
final class Outcomes implements BatchResult {

  private final Map<String, Optional<Throwable>> reports = new ConcurrentHashMap<>();
  private final CompletableFuture<?> stage;

  Outcomes(Destination destination, List<EventEnvelope> events) throws Exception {
    stage = destination.send(events, this).toCompletableFuture();
  }

  /** Sends and waits for the end. */
  static Outcomes of(Destination destination, EventEnvelope... events) throws Exception {
    return new Outcomes(destination, List.of(events)).await();
  }

  Outcomes await() throws Exception {
    stage.get(1, TimeUnit.MINUTES);
    return this;
  }

  boolean isOver() {
    return stage.isDone();
  }

  boolean took(EventEnvelope event) {
    return reports.get(event.eventId()).isEmpty();
  }

  Throwable failure(EventEnvelope event) {
    return reports.get(event.eventId()).orElseThrow();
  }

  List<Throwable> failures(List<EventEnvelope> events) {
    return events.stream().map(this::failure).toList();
  }

  @Override
  public void delivered(EventEnvelope event) {
    reports.put(event.eventId(), Optional.empty());
  }

  @Override
  public void failed(EventEnvelope event, Throwable failure) {
    reports.put(event.eventId(), Optional.of(failure));
  }
}
