package outbox.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.Outbox;
import outbox.model.EventStatus;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.StubTxContext;

class OpenTelemetryTracingTest {

  private static final String FOREIGN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final TextMapPropagator W3C =
      TextMapPropagator.composite(
          W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance());

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final InMemoryOutboxStore store = new InMemoryOutboxStore();
  private final StubTxContext tx = new StubTxContext(store.connections());
  private final List<Span> current = new CopyOnWriteArrayList<>();
  private final List<String> baggage = new CopyOnWriteArrayList<>();
  private OpenTelemetry telemetry = telemetry(W3C);
  private Outbox outbox;

  @AfterEach
  void close() {
    if (outbox != null) {
      outbox.close();
    }
  }

  private OpenTelemetry telemetry(TextMapPropagator propagator) {
    return OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build())
        .setPropagators(ContextPropagators.create(propagator))
        .build();
  }

  /** Not started: events written are not delivered yet. */
  private void build(EventListener listener) {
    outbox = TracedOutbox.build(new InMemoryDatabase(store, tx), telemetry, listener);
  }

  private void see() {
    current.add(Span.current());
    baggage.add(String.valueOf(Baggage.current().getEntryValue("customer")));
  }

  private List<String> write(EventEnvelope... events) {
    tx.begin();
    List<String> ids = outbox.writer().writeAll(Arrays.asList(events));
    tx.commit();
    return ids;
  }

  /** In the span of a request; returns that. */
  @SuppressWarnings("try") // scopes are there to be closed
  private SpanContext request(EventEnvelope... events) {
    Span span = telemetry.getTracer("test").spanBuilder("POST /orders").startSpan();
    try (Scope ignored = span.makeCurrent();
        Scope bag = Baggage.builder().put("customer", "7").build().makeCurrent()) {
      write(events);
    } finally {
      span.end();
    }
    return span.getSpanContext();
  }

  private static EventEnvelope event() {
    return EventEnvelope.builder("OrderPlaced").correlationId("c-1").payloadJson("{}").build();
  }

  private static EventEnvelope event(String traceparent) {
    return EventEnvelope.builder("OrderPlaced")
        .header("traceparent", traceparent)
        .payloadJson("{}")
        .build();
  }

  private List<SpanData> spans(String name) {
    return spans.getFinishedSpanItems().stream().filter(s -> s.getName().equals(name)).toList();
  }

  private SpanData awaitProcessed() {
    await().until(() -> !spans("process OrderPlaced").isEmpty());
    return spans("process OrderPlaced").get(0);
  }

  @Test
  void traceGoesOnFromTheRequestToTheListener() {
    build(event -> see());

    SpanContext request = request(event());
    outbox.start();

    SpanData process = awaitProcessed();
    SpanData create = spans("create OrderPlaced").get(0);
    assertThat(create.getTraceId()).isEqualTo(request.getTraceId());
    assertThat(create.getParentSpanId()).isEqualTo(request.getSpanId());
    assertThat(create.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(process.getTraceId()).isEqualTo(request.getTraceId());
    assertThat(process.getParentSpanId()).isEqualTo(create.getSpanId());
    assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(process.getLinks())
        .extracting(link -> link.getSpanContext().getSpanId())
        .containsExactly(create.getSpanId());
    assertThat(current)
        .extracting(span -> span.getSpanContext())
        .containsExactly(process.getSpanContext());
    assertThat(baggage).containsExactly("7");
    assertThat(process.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
  }

  @Test
  void spansSayWhatTheConventionsAskFor() {
    build(event -> see());

    EventEnvelope event = event();
    request(event);
    outbox.start();

    assertThat(awaitProcessed().getAttributes().asMap())
        .containsEntry(AttributeKey.stringKey("messaging.system"), "outbox")
        .containsEntry(AttributeKey.stringKey("messaging.operation.type"), "process")
        .containsEntry(AttributeKey.stringKey("messaging.operation.name"), "process")
        .containsEntry(AttributeKey.stringKey("messaging.destination.name"), "OrderPlaced")
        .containsEntry(AttributeKey.stringKey("messaging.message.id"), event.eventId())
        .containsEntry(AttributeKey.stringKey("messaging.message.conversation_id"), "c-1");
  }

  @Test
  void spanOfAnAsynchronousListenerEndsWithItsStage() {
    CompletableFuture<Void> stage = new CompletableFuture<>();
    AsyncEventListener listener =
        event -> {
          see();
          return stage;
        };
    build(listener);

    SpanContext request = request(event());
    outbox.start();
    await().until(() -> !current.isEmpty());

    assertThat(current.get(0).getSpanContext().getTraceId()).isEqualTo(request.getTraceId());
    assertThat(spans("process OrderPlaced")).isEmpty();
    stage.completeExceptionally(new IllegalStateException("payload {secret}"));
    SpanData process = awaitProcessed();
    assertThat(process.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(process.getAttributes().get(Attributes.ERROR_TYPE))
        .isEqualTo("java.lang.IllegalStateException");
    assertThat(process.toString()).doesNotContain("secret");
  }

  /** Takes all events that are there when it is called. */
  private BatchEventListener batch(int size) {
    return new BatchEventListener() {
      @Override
      public int maxBatch() {
        return size;
      }

      @Override
      public void onEvents(List<EventEnvelope> events, BatchResult result) {
        if (events.size() == size) {
          see();
        }
      }
    };
  }

  private SpanData awaitBatchOf(int size) {
    AttributeKey<Long> count = AttributeKey.longKey("messaging.batch.message_count");
    await()
        .until(
            () ->
                spans("process OrderPlaced").stream()
                    .anyMatch(span -> Long.valueOf(size).equals(span.getAttributes().get(count))));
    return spans("process OrderPlaced").stream()
        .filter(span -> Long.valueOf(size).equals(span.getAttributes().get(count)))
        .findFirst()
        .orElseThrow();
  }

  /** One call of the listener, as the dispatcher makes it. */
  private void deliver(OpenTelemetryTracing tracing, List<EventEnvelope> events) {
    var scope = tracing.aroundListener(events);
    see();
    scope.close();
    events.forEach(event -> tracing.afterDispatch(event, null));
  }

  @Test
  void batchOfOneTraceGoesOnWithIt() {
    OpenTelemetryTracing tracing = OpenTelemetryTracing.of(telemetry);
    build(event -> {});
    SpanContext request = request(event(), event());
    List<EventEnvelope> written = stored();

    deliver(tracing, written);

    SpanData process = awaitBatchOf(2);
    assertThat(process.getTraceId()).isEqualTo(request.getTraceId());
    assertThat(process.getLinks())
        .extracting(link -> link.getSpanContext().getSpanId())
        .containsExactlyInAnyOrderElementsOf(
            spans("create OrderPlaced").stream().map(SpanData::getSpanId).toList());
    assertThat(current.get(0).getSpanContext()).isEqualTo(process.getSpanContext());
  }

  @Test
  void batchOfSeveralTracesIsLinkedToEach() {
    OpenTelemetryTracing tracing = OpenTelemetryTracing.of(telemetry);
    build(event -> {});
    SpanContext first = request(event());
    SpanContext second = request(event());
    List<EventEnvelope> written = stored();

    deliver(tracing, written);

    SpanData process = awaitBatchOf(2);
    assertThat(process.getTraceId()).isNotIn(first.getTraceId(), second.getTraceId());
    assertThat(process.getLinks())
        .extracting(LinkData::getSpanContext)
        .extracting(SpanContext::getTraceId)
        .containsExactlyInAnyOrder(first.getTraceId(), second.getTraceId());
    assertThat(
            written.stream()
                .map(event -> Span.fromContext(tracing.contextOf(event)).getSpanContext()))
        .extracting(SpanContext::getTraceId)
        .containsExactlyInAnyOrder(first.getTraceId(), second.getTraceId());
  }

  private List<EventEnvelope> stored() {
    List<EventEnvelope> events = new CopyOnWriteArrayList<>();
    Outbox reader =
        Outbox.singleNode()
            .store(store)
            .connectionProvider(store.connections())
            .txContext(tx)
            .listener("OrderPlaced", events::add)
            .build();
    reader.start();
    await().until(() -> events.size() == 2);
    reader.close();
    return events;
  }

  @Test
  void batchListenersRunInASpanToo() {
    build(batch(1));

    SpanContext request = request(event());
    outbox.start();

    assertThat(awaitProcessed().getTraceId()).isEqualTo(request.getTraceId());
    assertThat(current.get(0).getSpanContext().getTraceId()).isEqualTo(request.getTraceId());
  }

  @Test
  void traceThatTheWriterSetItselfStays() {
    build(event -> see());

    request(event(FOREIGN));
    outbox.start();

    SpanData process = awaitProcessed();
    assertThat(process.getTraceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
    assertThat(process.getParentSpanId()).isEqualTo("b7ad6b7169203331");
    assertThat(spans("create OrderPlaced")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "00-0-0-0",
        "00-00000000000000000000000000000000-0000000000000000-01"
      })
  void malformedTraceFailsNoDelivery(String traceparent) {
    build(event -> see());

    String id = write(event(traceparent)).get(0);
    outbox.start();

    await().until(() -> store.find(id).orElseThrow().status() == EventStatus.DONE);
    assertThat(awaitProcessed().getLinks()).isEmpty();
    assertThat(current).hasSize(1);
  }

  @Test
  void withoutTracerNothingIsAdded() {
    telemetry = OpenTelemetry.noop();
    build(event -> see());

    EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{}");
    write(event);
    outbox.start();

    await().until(() -> !current.isEmpty());
    assertThat(store.find(event.eventId()).orElseThrow().event().headersJson()).isNull();
    assertThat(current.get(0).getSpanContext().isValid()).isFalse();
    assertThat(OpenTelemetryTracing.of(telemetry).beforeWrite(List.of(event)))
        .singleElement()
        .isSameAs(event);
  }

  /** Errors are what classes of different versions throw. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void brokenTracingFailsNeitherWriteNorDelivery(boolean byError) {
    telemetry =
        telemetry(
            new TextMapPropagator() {
              @Override
              public Collection<String> fields() {
                return List.of("x");
              }

              @Override
              public <C> void inject(Context context, C carrier, TextMapSetter<C> setter) {
                throw broken(byError);
              }

              @Override
              public <C> Context extract(Context context, C carrier, TextMapGetter<C> getter) {
                throw broken(byError);
              }
            });
    build(event -> see());

    String id = write(event()).get(0);
    outbox.start();

    await().until(() -> store.find(id).orElseThrow().status() == EventStatus.DONE);
    assertThat(current).hasSize(1);
  }

  private static RuntimeException broken(boolean byError) {
    if (byError) {
      throw new NoSuchMethodError("broken");
    }
    return new IllegalStateException("broken");
  }

  @Test
  void headersCarryWhatTheW3cAsksFor() {
    build(event -> see());
    EventEnvelope event = event();

    request(event);

    String headers = store.find(event.eventId()).orElseThrow().event().headersJson();
    SpanData create = spans("create OrderPlaced").get(0);
    assertThat(headers)
        .contains("\"traceparent\":\"00-%s-%s-".formatted(create.getTraceId(), create.getSpanId()))
        .contains("\"baggage\":\"customer=7\"");
  }
}
