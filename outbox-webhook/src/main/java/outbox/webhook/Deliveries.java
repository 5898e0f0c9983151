package outbox.webhook;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.destination.Message;
import outbox.destination.Protocol;
import outbox.destination.UnavailableException;
import outbox.webhook.Batch.Item;
import outbox.webhook.Verdict.Kind;

/** Delivers the events of a batch, each by a request, and reports what became of each. */
final class Deliveries {

  private final WebhookSettings settings;
  private final Sender sender;
  private final Outcomes outcomes;
  private final Executor threads;
  private final Turns turns;
  private final BooleanSupplier isBroken;

  Deliveries(WebhookSettings settings, Sender sender, Executor threads, BooleanSupplier isBroken) {
    this.settings = settings;
    this.sender = sender;
    this.isBroken = isBroken;
    this.threads = task -> runOn(threads, task);
    outcomes = new Outcomes(settings);
    turns = new Turns(settings.maxConcurrent(), this.threads);
  }

  /** The end of the batch never fails: each event has its own report. */
  Batch begin(List<EventEnvelope> events, BatchResult result) {
    List<Item> items = events.stream().map(Item::new).toList();
    List<CompletableFuture<?>> reports = new ArrayList<>();
    for (Item item : items) {
      reports.add(item.outcome().thenAccept(failure -> report(item.event(), failure, result)));
    }
    Batch batch = new Batch(items, reports, settings.maxWait()).within(threads);
    Map<Key, Item> lastOfKey = new HashMap<>();
    for (Item item : items) {
      Key key = Key.of(item.event());
      Item before = key == null ? null : lastOfKey.put(key, item);
      if (before == null) {
        enter(item);
      } else {
        var unused = before.outcome().thenRunAsync(() -> enter(item), threads);
      }
    }
    return batch;
  }

  private static void report(EventEnvelope event, @Nullable Throwable failure, BatchResult result) {
    if (failure == null) {
      result.delivered(event);
    } else {
      result.failed(event, failure);
    }
  }

  private void enter(Item item) {
    try {
      Endpoint endpoint = settings.endpoint().apply(item.event());
      turns.enter(endpoint.origin(), () -> attempt(endpoint, item));
    } catch (Throwable unusable) {
      if (item.begin()) {
        item.outcome().complete(unusable);
      }
    }
  }

  private void attempt(Endpoint endpoint, Item item) {
    if (!item.begin()) {
      turns.leave(endpoint.origin());
      return;
    }
    var unused =
        attempt(endpoint, item.event())
            .whenComplete(
                (failure, broken) -> {
                  turns.leave(endpoint.origin());
                  item.outcome().complete(broken == null ? failure : broken);
                });
  }

  /** With the failure of the event, or null if it is delivered. */
  private CompletableFuture<@Nullable Throwable> attempt(Endpoint endpoint, EventEnvelope event) {
    if (isBroken.getAsBoolean()) {
      return CompletableFuture.completedFuture(closed());
    }
    OutboxException hold = outcomes.hold(endpoint, event);
    if (hold != null) {
      return CompletableFuture.completedFuture(hold);
    }
    try {
      return sender
          .send(endpoint, request(endpoint, event))
          .thenApply(verdict -> conclude(endpoint, event, verdict));
    } catch (Throwable unusable) {
      return CompletableFuture.completedFuture(unusable);
    }
  }

  private @Nullable Throwable conclude(Endpoint endpoint, EventEnvelope event, Verdict verdict) {
    if (isBroken.getAsBoolean() && verdict.kind() != Kind.DELIVERED) {
      return closed();
    }
    OutboxException failure = outcomes.conclude(endpoint, event, verdict);
    if (failure != null && verdict.kind() == Kind.GONE) {
      tellGone(endpoint, failure);
    }
    return failure;
  }

  private void tellGone(Endpoint endpoint, OutboxException failure) {
    try {
      settings.onGone().accept(endpoint.url());
    } catch (RuntimeException untold) {
      failure.addSuppressed(untold);
    }
  }

  private HttpRequest.Builder request(Endpoint endpoint, EventEnvelope event) {
    Message message = settings.format().format(event, Protocol.HTTP);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint.url()).POST(BodyPublishers.ofByteArray(message.body()));
    if (endpoint.url().getScheme().equalsIgnoreCase("http")) {
      request.version(HttpClient.Version.HTTP_1_1);
    }
    RequestHeaders.of(message.headers(), event).forEach(request::setHeader);
    if (message.contentType() != null) {
      request.setHeader("content-type", RequestHeaders.encoded(message.contentType()));
    }
    settings.headers().forEach(request::setHeader);
    sign(request, event, message);
    return request;
  }

  private void sign(HttpRequest.Builder request, EventEnvelope event, Message message) {
    String id = RequestHeaders.id(event);
    Instant now = settings.clock().instant();
    request.setHeader(WebhookSignature.ID, id);
    request.setHeader(WebhookSignature.TIMESTAMP, Long.toString(now.getEpochSecond()));
    WebhookSignature signature = settings.signature().apply(event);
    if (signature != null) {
      request.setHeader(WebhookSignature.SIGNATURE, signature.sign(id, now, message.body()));
    }
  }

  private UnavailableException closed() {
    return new UnavailableException(
        "webhook destination " + settings.name() + " was closed before the answer came", null);
  }

  /** What is left when the threads have ended is quickly told. */
  private static void runOn(Executor threads, Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException closed) {
      task.run();
    }
  }

  /** What has to keep its order. */
  private record Key(String aggregateType, String aggregateId) {

    static @Nullable Key of(EventEnvelope event) {
      String id = event.aggregateId();
      return id == null ? null : new Key(event.aggregateType(), id);
    }
  }
}
