package outbox.jdbc.security;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
import outbox.RelayBuilder;
import outbox.dispatch.EventInterceptor;
import outbox.dispatch.OutboxDispatcher;
import outbox.util.JsonCodec;

/** Parts of an application that fail, and quote what they were given. */
final class Quoting {

  private Quoting() {}

  static String quoted(EventEnvelope event) {
    return new String(event.payloadBytes(), ISO_8859_1);
  }

  /** As parsers do it. */
  static IllegalStateException failure(EventEnvelope event) {
    IllegalStateException failure =
        new IllegalStateException(
            "can't handle it",
            new IllegalArgumentException(
                "Unexpected character\n at [Source: (String)\"" + quoted(event) + "\"; line: 1]"));
    failure.addSuppressed(new IllegalStateException(quoted(event)));
    return failure;
  }

  static <B extends RelayBuilder<B>> B failing(B builder) {
    return builder
        .listener("Order", "Good", event -> {})
        .listener(
            "Order",
            "Quotes",
            event -> {
              throw failure(event);
            })
        .listener(
            "Order",
            "Error",
            event -> {
              throw new AssertionError(quoted(event), failure(event));
            })
        .listener(
            "Order",
            "Async",
            (AsyncEventListener) event -> CompletableFuture.failedFuture(failure(event)))
        .listener(
            "Order",
            "Batch",
            (BatchEventListener)
                (events, result) -> {
                  throw failure(events.get(0));
                })
        .dispatcher(Quoting::failing);
  }

  static OutboxDispatcher.Builder failing(OutboxDispatcher.Builder dispatcher) {
    return dispatcher
        .maxAttempts(2)
        .retryPolicy(tries -> 1)
        .interceptor(
            EventInterceptor.after(
                (event, error) -> {
                  throw failure(event);
                }));
  }

  /** Fails as a parser does, and quotes what it was given. */
  static JsonCodec telling() {
    return new JsonCodec() {
      @Override
      public String toJson(Map<String, String> headers) {
        return JsonCodec.getDefault().toJson(headers);
      }

      @Override
      public Map<String, String> parseObject(String json) {
        throw new IllegalArgumentException("codec failed at " + json);
      }
    };
  }
}
