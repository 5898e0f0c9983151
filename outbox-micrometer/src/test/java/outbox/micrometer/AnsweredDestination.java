package outbox.micrometer;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.destination.Destination;

/** A destination that says of each batch what a test says. */
final class AnsweredDestination implements Destination {

  private final String name;
  private CompletableFuture<Object> answer;

  AnsweredDestination(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) {
    answer = new CompletableFuture<>();
    return answer;
  }

  /** That of the last batch. */
  CompletableFuture<Object> answer() {
    return Objects.requireNonNull(answer);
  }

  @Override
  public void close() {}
}
