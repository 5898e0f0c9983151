package outbox.rabbitmq;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.destination.Destination;
import outbox.destination.GuardedDestination;

/** What became of the events of one batch, by their ids. */
final class Answers implements BatchResult {

  private final Queue<String> delivered = new ConcurrentLinkedQueue<>();
  private final Map<String, Throwable> failures = new ConcurrentHashMap<>();
  private CompletableFuture<?> stage = new CompletableFuture<>();

  static Answers sending(Destination destination, List<EventEnvelope> events) throws Exception {
    Answers answers = new Answers();
    answers.stage = destination.send(events, answers).toCompletableFuture();
    return answers;
  }

  static Answers sending(GuardedDestination guard, List<EventEnvelope> events) {
    Answers answers = new Answers();
    answers.stage = guard.onEventsAsync(events, answers).toCompletableFuture();
    return answers;
  }

  static Answers of(Destination destination, List<EventEnvelope> events) throws Exception {
    return sending(destination, events).await();
  }

  static Answers of(Destination destination, EventEnvelope... events) throws Exception {
    return of(destination, List.of(events));
  }

  Answers await() throws Exception {
    stage.get(1, TimeUnit.MINUTES);
    return this;
  }

  boolean areComplete() {
    return stage.isDone();
  }

  Queue<String> delivered() {
    return delivered;
  }

  Map<String, Throwable> failures() {
    return failures;
  }

  Throwable failure(EventEnvelope event) {
    return failures.get(event.eventId());
  }

  @Override
  public void delivered(EventEnvelope event) {
    delivered.add(event.eventId());
  }

  @Override
  public void failed(EventEnvelope event, Throwable failure) {
    failures.put(event.eventId(), failure);
  }
}
