package outbox.spring.boot.sent;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.destination.Destination;
import outbox.destination.UnavailableException;

/** Keeps what it is sent, unless it is away. */
public final class MemoryDestination implements Destination {

  public final List<String> taken = new CopyOnWriteArrayList<>();
  public volatile boolean isAway;
  private final String name;

  MemoryDestination(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) {
    if (isAway) {
      throw new UnavailableException("connection refused", null);
    }
    events.forEach(event -> taken.add(event.eventId()));
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {}
}
