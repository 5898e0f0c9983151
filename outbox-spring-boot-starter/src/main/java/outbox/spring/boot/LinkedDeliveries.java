package outbox.spring.boot;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;

/** Links the span of a delivery to those that its events were written in. */
final class LinkedDeliveries extends PropagatingReceiverTracingObservationHandler<DeliveryContext> {

  private final Tracer tracer;

  LinkedDeliveries(Tracer tracer, Propagator propagator) {
    super(tracer, propagator);
    this.tracer = tracer;
  }

  @Override
  public boolean supportsContext(Observation.Context context) {
    return context instanceof DeliveryContext;
  }

  @Override
  public Span.Builder customizeExtractedSpan(DeliveryContext context, Span.Builder builder) {
    context.written().forEach(written -> builder.addLink(new Link(contextOf(written))));
    return builder;
  }

  private TraceContext contextOf(DeliveryContext.Written written) {
    return tracer
        .traceContextBuilder()
        .traceId(written.traceId())
        .spanId(written.spanId())
        .sampled(written.isSampled())
        .build();
  }
}
