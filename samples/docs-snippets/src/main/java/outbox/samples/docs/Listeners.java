package outbox.samples.docs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.BatchResult;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.RetryAfterException;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.UnroutablePolicy;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;

/** What a listener may do, and what is set around it. */
final class Listeners {

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI warehouse;

  Listeners(URI warehouse) {
    this.warehouse = warehouse;
  }

  /** One call per event. */
  EventListener calling() {
    // docs:begin failures
    return event -> {
      HttpResponse<Void> response =
          client.send(request(event), HttpResponse.BodyHandlers.discarding());
      switch (response.statusCode()) {
        case 200 -> {}
        case 400, 422 -> throw new NonRetryableException("refused for good: " + response);
        case 429 -> throw new RetryAfterException(Duration.ofMinutes(1), "too many requests");
        case 503 -> throw new DeferException(Duration.ofMinutes(5), "closed for maintenance");
        default -> throw new IOException("unexpected answer: " + response);
      }
    };
    // docs:end failures
  }

  /** Many calls under way at once, and no worker waits for them. */
  void registerAsync(DefaultListenerRegistry listeners) {
    // docs:begin async
    AsyncEventListener send =
        event ->
            client
                .sendAsync(request(event), HttpResponse.BodyHandlers.discarding())
                .thenAccept(Listeners::requireSuccess);

    listeners.register("OrderPlaced", send);
    // docs:end async
  }

  // docs:begin batch
  /** Inserts many rows with one statement. */
  static final class SearchIndex implements BatchEventListener {

    private final Index index;

    SearchIndex(Index index) {
      this.index = index;
    }

    @Override
    public void onEvents(List<EventEnvelope> events, BatchResult result) throws IOException {
      for (Index.Rejection rejected : index.putAll(events)) {
        result.failed(rejected.event(), new NonRetryableException(rejected.reason()));
      }
    }

    @Override
    public int maxBatch() {
      return 500;
    }
  }

  // docs:end batch

  /** Something that takes many documents at once. */
  interface Index {

    /** A document that was not taken. */
    record Rejection(EventEnvelope event, String reason) {}

    List<Rejection> putAll(List<EventEnvelope> events) throws IOException;
  }

  static OutboxDispatcher.Builder bounded(OutboxDispatcher.Builder builder) {
    // docs:begin bounds
    builder
        .dispatchTimeout(Duration.ofSeconds(30))
        .asyncInFlight(1000)
        .queueBytes(128L << 20)
        .errorRedactor((event, failure) -> failure.getClass().getSimpleName());
    // docs:end bounds
    return builder;
  }

  static void rolling(
      OutboxDispatcher.Builder dispatcher,
      OutboxPoller.Builder poller,
      DefaultListenerRegistry listeners) {
    // docs:begin rolling
    dispatcher.unroutable(UnroutablePolicy.LEAVE);
    poller.routableBy(listeners);
    // docs:end rolling
  }

  private HttpRequest request(EventEnvelope event) {
    return HttpRequest.newBuilder(warehouse)
        .header("Idempotency-Key", event.eventId())
        .POST(HttpRequest.BodyPublishers.ofByteArray(event.payloadBytes()))
        .build();
  }

  private static void requireSuccess(HttpResponse<Void> response) {
    if (response.statusCode() != 200) {
      throw new IllegalStateException("unexpected answer: " + response);
    }
  }
}
