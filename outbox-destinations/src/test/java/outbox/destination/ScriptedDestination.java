package outbox.destination;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.internal.BatchMarks;

/** A destination that does what a test tells it to. */
final class ScriptedDestination implements Destination {

  /** What happens to the next batches. */
  interface Script {
    CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) throws Exception;
  }

  static final Script TAKES = (events, result) -> CompletableFuture.completedFuture(null);
  static final Script IS_AWAY =
      (events, result) -> {
        throw new UnavailableException("connection refused", null);
      };

  private final String name;
  private final List<List<EventEnvelope>> batches = new ArrayList<>();
  volatile Script script = TAKES;
  int closes;

  ScriptedDestination(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) throws Exception {
    synchronized (batches) {
      batches.add(List.copyOf(events));
    }
    return script.send(events, result);
  }

  @Override
  public void close() {
    closes++;
  }

  /** How many events each call had. */
  List<Integer> batches() {
    synchronized (batches) {
      return batches.stream().map(List::size).toList();
    }
  }

  List<EventEnvelope> events() {
    synchronized (batches) {
      return batches.stream().flatMap(List::stream).toList();
    }
  }

  static List<EventEnvelope> events(int count) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(EventEnvelope.ofJson("OrderPlaced", "{}"));
    }
    return events;
  }

  /** Has the guard deliver a batch as a dispatcher would, and waits for its end. */
  static BatchMarks deliver(GuardedDestination guard, List<EventEnvelope> events) {
    BatchMarks marks = new BatchMarks(events);
    marks.run(() -> guard.onEvents(events, marks));
    return marks;
  }
}
