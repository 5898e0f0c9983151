package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.util.ReflectionUtils;
import outbox.EventEnvelope;
import outbox.WriterHook;
import outbox.dispatch.EventInterceptor.Scope;

/** What observations tell a tracer, which is OpenTelemetry's here. */
class ObservedEventsTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final AttributeKey<String> DESTINATION =
      AttributeKey.stringKey("messaging.destination.name");
  private static final String OTHER = "1af7651916cd43dd8448eb211c80319c";

  private final List<SpanData> spans = new ArrayList<>();
  private final Tracer tracer;
  private final ObservationRegistry registry = ObservationRegistry.create();
  private final ObservedEvents observed = new ObservedEvents(registry);

  /** As Spring Boot does it. */
  ObservedEventsTest() {
    io.opentelemetry.api.trace.Tracer otel =
        SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(new Finished()))
            .build()
            .get("test");
    tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
    Propagator propagator =
        new OtelPropagator(
            ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
    registry
        .observationConfig()
        .observationHandler(
            new FirstMatchingCompositeObservationHandler(
                new LinkedDeliveries(tracer, propagator),
                new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                new DefaultTracingObservationHandler(tracer)));
  }

  private final class Finished implements SpanExporter {

    @Override
    public CompletableResultCode export(Collection<SpanData> finished) {
      spans.addAll(finished);
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  private static EventEnvelope event(String traceparent) {
    return EventEnvelope.builder("OrderPlaced")
        .header("traceparent", traceparent)
        .payloadJson("{}")
        .build();
  }

  private static EventEnvelope eventOf(String traceId) {
    return event("00-" + traceId + "-b7ad6b7169203331-01");
  }

  private SpanData deliver(List<EventEnvelope> events, Exception failure) {
    Scope scope = observed.aroundListener(events);
    String traceId = Objects.requireNonNull(tracer.currentSpan()).context().traceId();
    scope.close();
    events.forEach(event -> observed.afterDispatch(event, failure));
    SpanData span = spans.get(spans.size() - 1);
    assertThat(span.getTraceId()).isEqualTo(traceId);
    assertThat(span.getName()).isEqualTo("process OrderPlaced");
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    return span;
  }

  @Test
  void writtenEventBelongsToTheTraceOfItsObservation() {
    Observation request = Observation.start("request", registry);
    EventEnvelope written;
    try (Observation.Scope ignored = Objects.requireNonNull(request.openScope())) {
      assertThat(ignored.getCurrentObservation()).isSameAs(request);
      written = observed.beforeWrite(List.of(EventEnvelope.ofJson("OrderPlaced", "{}"))).get(0);
    }
    request.stop();

    SpanData create = spans.get(0);
    SpanData parent = spans.get(1);
    assertThat(create.getName()).isEqualTo("create OrderPlaced");
    assertThat(create.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(create.getParentSpanId()).isEqualTo(parent.getSpanId());
    assertThat(written.header("traceparent"))
        .startsWith("00-%s-%s-".formatted(parent.getTraceId(), create.getSpanId()));
  }

  @Test
  void traceThatTheWriterSetItselfStays() {
    EventEnvelope event = eventOf(TRACE);

    assertThat(observed.beforeWrite(List.of(event))).singleElement().isSameAs(event);
    assertThat(spans).isEmpty();
  }

  @Test
  void listenerGoesOnWithTheTraceAndIsLinkedToIt() {
    SpanData span = deliver(List.of(eventOf(TRACE)), null);

    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo("b7ad6b7169203331");
    assertThat(span.getLinks())
        .extracting(link -> link.getSpanContext().getTraceId())
        .containsExactly(TRACE);
    assertThat(tracer.currentSpan()).isNull();
  }

  @Test
  void batchOfOneTraceGoesOnWithIt() {
    SpanData span = deliver(List.of(eventOf(TRACE), eventOf(TRACE)), null);

    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getLinks()).hasSize(2);
  }

  @Test
  void batchOfSeveralTracesIsLinkedToEach() {
    SpanData span =
        deliver(List.of(eventOf(TRACE), eventOf(OTHER), EventEnvelope.ofJson("T", "{}")), null);

    assertThat(span.getTraceId()).isNotIn(TRACE, OTHER);
    assertThat(span.getLinks())
        .extracting(link -> link.getSpanContext().getTraceId())
        .containsExactly(TRACE, OTHER);
  }

  @Test
  void failureIsToldByItsKindOnly() {
    SpanData span = deliver(List.of(eventOf(TRACE)), new IllegalStateException("{secret}"));

    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.toString()).contains("IllegalStateException").doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nonsense", "00-0-0-0", "ff-x"})
  void malformedTraceIsNone(String traceparent) {
    SpanData span = deliver(List.of(event(traceparent)), null);

    assertThat(span.getLinks()).isEmpty();
    assertThat(span.getParentSpanContext().isValid()).isFalse();
  }

  /** What classes of different versions throw, too. */
  static Stream<Throwable> failures() {
    return Stream.of(new IllegalStateException("broken"), new NoSuchMethodError("broken"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void brokenHandlersFailNoWrite(Throwable failure) {
    registry
        .observationConfig()
        .observationHandler(
            new ObservationHandler<Observation.Context>() {
              @Override
              public void onStart(Observation.Context context) {
                ReflectionUtils.rethrowRuntimeException(failure);
              }

              @Override
              public boolean supportsContext(Observation.Context context) {
                return true;
              }
            });
    EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{}");

    try (LogLines log = new LogLines()) {
      assertThat(observed.beforeWrite(List.of(event))).singleElement().isSameAs(event);
      assertThat(log.line("tracing failed")).contains("without a trace", event.eventId());
    }
  }

  @Test
  void timersDoNotGrowWithTheEventTypes() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));

    for (String type : List.of("OrderPlaced", "OrderShipped")) {
      List<EventEnvelope> events = List.of(EventEnvelope.ofJson(type, "{}"));
      observed.beforeWrite(events);
      observed.aroundListener(events).close();
      observed.afterDispatch(events.get(0), null);
    }

    assertThat(meters.get("outbox.create").timers()).hasSize(1);
    assertThat(meters.get("outbox.process").timer().count()).isEqualTo(2);
    assertThat(meters.getMeters())
        .flatExtracting(meter -> meter.getId().getTags())
        .extracting(Tag::getKey)
        .containsOnly(
            "error", "messaging.system", "messaging.operation.name", "messaging.operation.type");
    assertThat(spans)
        .extracting(span -> span.getAttributes().get(DESTINATION))
        .containsExactly("OrderPlaced", "OrderPlaced", "OrderShipped", "OrderShipped");
  }

  @Test
  void nothingIsDoneWithoutATracer() {
    ObservedEvents off = new ObservedEvents(ObservationRegistry.NOOP);
    List<EventEnvelope> events = List.of(EventEnvelope.ofJson("OrderPlaced", "{}"));

    assertThat(off.beforeWrite(events)).isSameAs(events);
    assertThat(off.aroundListener(events)).isSameAs(Scope.NONE);
    Applications.listening()
        .withConfiguration(AutoConfigurations.of(TracingAutoConfiguration.class))
        .withBean(ObservationRegistry.class, ObservationRegistry::create)
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(WriterHook.class));
  }
}
