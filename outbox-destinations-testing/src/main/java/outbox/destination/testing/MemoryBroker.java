package outbox.destination.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.destination.Destination;
import outbox.destination.Message;
import outbox.destination.MessageFormat;
import outbox.destination.Protocol;
import outbox.destination.UnavailableException;

/**
 * A broker in memory, for tests of what stands before a destination: it keeps what it was sent, can
 * be stopped and started, and refuses what it is told to. Safe for all threads.
 */
public final class MemoryBroker implements DestinationFixture {

  private static final int LIMIT = 100_000;

  private final List<Received> received = new ArrayList<>();
  private Function<EventEnvelope, @Nullable Throwable> refusals = event -> null;
  private boolean running = true;

  @Override
  public Destination open() {
    return open("memory");
  }

  public Destination open(String name) {
    return new MemoryDestination(name);
  }

  /** From now on an event fails with what this returns; null takes it. */
  public synchronized void refuse(Function<EventEnvelope, @Nullable Throwable> refusals) {
    this.refusals = refusals;
  }

  @Override
  public synchronized List<Received> received() {
    return List.copyOf(received);
  }

  @Override
  public synchronized void stopBroker() {
    running = false;
  }

  @Override
  public synchronized void startBroker() {
    running = true;
  }

  @Override
  public int tooLarge() {
    return LIMIT + 1;
  }

  @Override
  public Set<String> secrets() {
    return Set.of();
  }

  @Override
  public void close() {}

  private synchronized void take(EventEnvelope event, BatchResult result, String name) {
    Throwable refusal = refusalOf(event, name);
    if (refusal != null) {
      result.failed(event, refusal);
      return;
    }
    Message message = MessageFormat.raw().format(event, Protocol.KAFKA);
    received.add(
        new Received(
            event.aggregateId(), message.body(), message.contentType(), message.headers()));
    result.delivered(event);
  }

  private @Nullable Throwable refusalOf(EventEnvelope event, String name) {
    if (!running) {
      return new UnavailableException("%s is stopped; start it again".formatted(name), null);
    }
    if (event.payloadSize() > LIMIT) {
      return new NonRetryableException(
          "payload of event %s must be at most %d bytes, got: %d"
              .formatted(event.eventId(), LIMIT, event.payloadSize()));
    }
    return refusals.apply(event);
  }

  private final class MemoryDestination implements Destination {

    private final String name;
    private volatile boolean closed;

    MemoryDestination(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) {
      if (closed) {
        throw new OutboxException("destination %s is closed; open a new one".formatted(name), null);
      }
      events.forEach(event -> take(event, result, name));
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
