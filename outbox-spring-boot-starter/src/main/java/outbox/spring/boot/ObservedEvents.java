package outbox.spring.boot;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
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
 * Observes writes and deliveries: {@code outbox.create} gives each event the context of its trace
 * as headers, and {@code outbox.process} goes on with that while the listener runs. An observation
 * that fails never fails a write nor a delivery.
 */
final class ObservedEvents implements WriterHook, EventInterceptor {

  private final ObservationRegistry registry;
  private final TracedWrites writes = new TracedWrites(ObservedEvents.class, this::create);

  /** Events that a listener has; they are compared by identity. */
  private final Map<EventEnvelope, ObservedDelivery> delivered = new ConcurrentHashMap<>();

  ObservedEvents(ObservationRegistry registry) {
    this.registry = registry;
  }

  @Override
  public List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
    return registry.isNoop() ? events : events.stream().map(writes::traced).toList();
  }

  /** Keeps nothing until the transaction ends. */
  @Override
  public Ending ending(List<EventEnvelope> events, @Nullable Claim claim) {
    return Ending.NOTHING;
  }

  @Override
  public Scope aroundListener(List<EventEnvelope> events) {
    if (registry.isNoop()) {
      return Scope.NONE;
    }
    DeliveryContext context = new DeliveryContext(events);
    Observation observation = of("process", events.get(0), context);
    if (events.size() == 1) {
      observation.highCardinalityKeyValue("messaging.message.id", events.get(0).eventId());
    } else {
      observation.highCardinalityKeyValue(
          "messaging.batch.message_count", String.valueOf(events.size()));
    }
    ObservedDelivery delivery = new ObservedDelivery(observation.start(), events.size());
    events.forEach(event -> delivered.put(event, delivery));
    return observation.openScope()::close;
  }

  @Override
  public void afterDispatch(EventEnvelope event, @Nullable Exception error) {
    ObservedDelivery delivery = delivered.remove(event);
    if (delivery != null) {
      delivery.ended(error);
    }
  }

  private EventEnvelope create(EventEnvelope event) {
    Map<String, String> headers = new HashMap<>();
    SenderContext<Map<String, String>> context =
        new SenderContext<>((carrier, name, value) -> headers.put(name, value), Kind.PRODUCER);
    context.setCarrier(headers);
    of("create", event, context)
        .highCardinalityKeyValue("messaging.message.id", event.eventId())
        .start()
        .stop();
    return TraceHeaders.added(event, headers);
  }

  /**
   * Named after OpenTelemetry's conventions for messaging. Timers get what is of low cardinality;
   * nothing limits the number of event types.
   */
  private Observation of(String operation, EventEnvelope event, Observation.Context context) {
    return Observation.createNotStarted("outbox." + operation, () -> context, registry)
        .contextualName(operation + " " + event.eventType())
        .lowCardinalityKeyValue("messaging.system", "outbox")
        .lowCardinalityKeyValue("messaging.operation.name", operation)
        .lowCardinalityKeyValue("messaging.operation.type", operation)
        .highCardinalityKeyValue("messaging.destination.name", event.eventType());
  }
}
