package outbox.benchmarks.measurement;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.destination.Destination;
import outbox.destination.UnavailableException;
import outbox.util.DaemonThreadFactory;

/** A destination within the process, which takes every batch after a millisecond if it is alive. */
final class Nearby implements Destination {

  enum Health {
    ALIVE,
    REFUSES,
    HANGS
  }

  private static final long ANSWER_MILLIS = 1;

  private final String name;
  private final Health health;
  private final LongAdder taken;
  private final ScheduledExecutorService answers =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreadFactory("nearby-"));

  /**
   * @param taken counts the events that it took
   */
  Nearby(String name, Health health, LongAdder taken) {
    this.name = name;
    this.health = health;
    this.taken = taken;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the answer is what counts
  public CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) {
    if (health == Health.REFUSES) {
      throw new UnavailableException("connection refused", null);
    }
    CompletableFuture<Object> answer = new CompletableFuture<>();
    if (health == Health.ALIVE) {
      answers.schedule(() -> take(events, answer), ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    }
    return answer;
  }

  @Override
  public void close() {
    answers.shutdownNow();
  }

  private void take(List<EventEnvelope> events, CompletableFuture<Object> answer) {
    taken.add(events.size());
    answer.complete(true);
  }
}
