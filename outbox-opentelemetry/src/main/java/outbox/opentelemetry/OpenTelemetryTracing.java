package outbox.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.WriterHook;
import outbox.dispatch.EventInterceptor;
import outbox.internal.TracedWrites;
import outbox.spi.Claim;
import outbox.spi.TraceHeaders;

/**
 * Has a trace go on from the write of an event to its listener, in whichever process that runs.
 * Give the same object to an outbox as writer hook and as interceptor:
 *
 * <pre>{@code
 * OpenTelemetryTracing tracing = OpenTelemetryTracing.of(openTelemetry);
 * Outbox.multiNode()
 *     .writerHook(tracing)
 *     .dispatcher(dispatcher -> dispatcher.interceptor(tracing))
 * }</pre>
 *
 * <p>Each event written gets a span {@code create <event type>} and its context as headers, by the
 * propagators of the given {@link OpenTelemetry}; an event that has a {@code traceparent} already
 * stays as it is. A listener runs in a span {@code process <event type>}: the child of what the
 * headers say, and linked to it. Without propagators, as in {@link OpenTelemetry#noop}, nothing is
 * done. Tracing that fails never fails a write nor a delivery. Safe for all threads.
 */
public final class OpenTelemetryTracing implements WriterHook, EventInterceptor {

  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final boolean isOn;
  private final TracedWrites writes = new TracedWrites(OpenTelemetryTracing.class, this::create);

  /** Events that a listener has; they are compared by identity. */
  private final Map<EventEnvelope, Processing> processed = new ConcurrentHashMap<>();

  private OpenTelemetryTracing(OpenTelemetry openTelemetry) {
    tracer = openTelemetry.getTracer("dev.outbox");
    propagator = openTelemetry.getPropagators().getTextMapPropagator();
    isOn = !propagator.fields().isEmpty();
  }

  public static OpenTelemetryTracing of(OpenTelemetry openTelemetry) {
    return new OpenTelemetryTracing(openTelemetry);
  }

  /**
   * The context that the event was written in, for listeners that take several events at once and
   * want to go on with one of them; {@link Context#root} if it has none.
   */
  public Context contextOf(EventEnvelope event) {
    return propagator.extract(Context.root(), event, Headers.GETTER);
  }

  @Override
  public List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
    return isOn ? events.stream().map(writes::traced).toList() : events;
  }

  /** Keeps nothing until the transaction ends. */
  @Override
  public Ending ending(List<EventEnvelope> events, @Nullable Claim claim) {
    return Ending.NOTHING;
  }

  @Override
  public Scope aroundListener(List<EventEnvelope> events) {
    if (!isOn) {
      return Scope.NONE;
    }
    Processing processing = Processing.of(events, tracer, this::contextOf);
    events.forEach(event -> processed.put(event, processing));
    return processing.makeCurrent();
  }

  @Override
  public void afterDispatch(EventEnvelope event, @Nullable Exception error) {
    Processing processing = processed.remove(event);
    if (processing != null) {
      processing.ended(error);
    }
  }

  private EventEnvelope create(EventEnvelope event) {
    Span span =
        Attributes.ofOne(tracer.spanBuilder("create " + event.eventType()), "create", event)
            .setSpanKind(SpanKind.PRODUCER)
            .startSpan();
    try {
      Map<String, String> headers = new HashMap<>();
      propagator.inject(Context.current().with(span), headers, Headers.SETTER);
      return TraceHeaders.added(event, headers);
    } finally {
      span.end();
    }
  }
}
