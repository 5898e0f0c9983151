package outbox.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.dispatch.EventInterceptor.Scope;

/** The span of one call of a listener; it ends with the last of its events. */
final class Processing {

  private final Span span;
  private final Context context;
  private final AtomicInteger unended;

  private Processing(Span span, Context context, int events) {
    this.span = span;
    this.context = context;
    unended = new AtomicInteger(events);
  }

  /**
   * Goes on with the trace that the events were written in. Events of several traces are processed
   * in a trace of its own. It is linked to each in any case.
   */
  static Processing of(
      List<EventEnvelope> events, Tracer tracer, Function<EventEnvelope, Context> contextOf) {
    List<Context> written = events.stream().map(contextOf).toList();
    Context parent = isOneTrace(written) ? written.get(0) : Context.root();
    EventEnvelope first = events.get(0);
    SpanBuilder builder = tracer.spanBuilder("process " + first.eventType());
    builder.setSpanKind(SpanKind.CONSUMER).setParent(parent);
    written.stream()
        .map(Processing::spanContext)
        .filter(SpanContext::isValid)
        .forEach(builder::addLink);
    if (events.size() == 1) {
      Attributes.ofOne(builder, "process", first);
    } else {
      Attributes.ofBatch(builder, "process", first.eventType(), events.size());
    }
    Span span = builder.startSpan();
    return new Processing(span, parent.with(span), events.size());
  }

  private static boolean isOneTrace(List<Context> contexts) {
    return contexts.stream().map(context -> spanContext(context).getTraceId()).distinct().count()
        == 1;
  }

  private static SpanContext spanContext(Context context) {
    return Span.fromContext(context).getSpanContext();
  }

  @SuppressWarnings("MustBeClosedChecker") // the dispatcher closes it
  Scope makeCurrent() {
    return context.makeCurrent()::close;
  }

  /**
   * One of the events has ended. Says of what kind its failure was: messages may quote payloads.
   */
  void ended(@Nullable Exception error) {
    if (error != null && !(error instanceof DeferException)) {
      span.setStatus(StatusCode.ERROR);
      span.setAttribute(Attributes.ERROR_TYPE, error.getClass().getName());
    }
    if (unended.decrementAndGet() == 0) {
      span.end();
    }
  }
}
