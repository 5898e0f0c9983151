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

  /** The stage never fails: each event has its own report. */
  CompletableFuture<?> deliver(List<EventEnvelope> events, BatchResult result) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    Map<Key, CompletableFuture<?>> lastOfKey = new HashMap<>();
    for (EventEnvelope event : events) {
      Key key = Key.of(event);
      CompletableFuture<?> before = key == null ? null : lastOfKey.get(key);
      CompletableFuture<?> delivery =
          before == null
              ? deliver(event, result)
              : before.thenComposeAsync(done -> deliver(event, result), threads);
      if (key != null) {
        lastOfKey.put(key, delivery);
      }
      all.add(delivery);
    }
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
  }

  private CompletableFuture<@Nullable Void> deliver(EventEnvelope event, BatchResult result) {
    CompletableFuture<@Nullable Throwable> outcome = new CompletableFuture<>();
    try {
      Endpoint endpoint = settings.endpoint().apply(event);
      turns.enter(endpoint.origin(), () -> attempt(endpoint, event, outcome));
    } catch (RuntimeException unusable) {
      outcome.complete(unusable);
    }
    return outcome.thenAccept(
        failure -> {
          if (failure == null) {
            result.delivered(event);
          } else {
            result.failed(event, failure);
          }
        });
  }

  private void attempt(
      Endpoint endpoint, EventEnvelope event, CompletableFuture<@Nullable Throwable> outcome) {
    var unused =
        attempt(endpoint, event)
            .whenComplete(
                (failure, broken) -> {
                  turns.leave(endpoint.origin());
                  outcome.complete(broken == null ? failure : broken);
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
    } catch (RuntimeException unusable) {
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
