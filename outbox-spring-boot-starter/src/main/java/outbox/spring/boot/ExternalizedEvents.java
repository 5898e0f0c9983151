package outbox.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.support.BrokerRouting;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.domain.EventMapper;
import outbox.domain.PayloadWriter;

/**
 * Events that Spring Modulith externalizes: its target is the topic, its key the aggregate's id,
 * and what it maps the event to the payload.
 */
record ExternalizedEvents(
    EventExternalizationConfiguration externalization,
    PayloadWriter payloads,
    EvaluationContext expressions)
    implements EventMapper {

  @Override
  public boolean supports(Object event) {
    return externalization.supports(event);
  }

  @Override
  public EventEnvelope map(Object event) {
    BrokerRouting routing = BrokerRouting.of(externalization.determineTarget(event), expressions);
    EventEnvelope.Builder builder = EventEnvelope.builder(event.getClass().getSimpleName());
    externalization
        .getHeadersFor(event)
        .forEach((name, value) -> builder.header(name, String.valueOf(value)));
    @Nullable String key = routing.getKey(event);
    if (key != null) {
      builder.aggregateId(key).routingKey(key);
    }
    return builder.topic(routing.getTarget(event)).payloadJson(payload(event)).build();
  }

  private String payload(Object event) {
    try {
      return payloads.write(externalization.map(event));
    } catch (Exception e) {
      throw new OutboxException(
          "the payload of %s could not be written; nothing goes to the outbox"
              .formatted(event.getClass().getName()),
          e);
    }
  }
}
