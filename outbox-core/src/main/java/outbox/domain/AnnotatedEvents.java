package outbox.domain;

import outbox.EventEnvelope;
import outbox.OutboxException;

/** Events whose class carries {@link OutboxEvent}. */
record AnnotatedEvents(PayloadWriter payloads, EventClasses classes) implements EventMapper {

  @Override
  public boolean supports(Object event) {
    return classes.contain(event.getClass());
  }

  @Override
  public EventEnvelope map(Object event) {
    EventEnvelope.Builder builder = classes.of(event.getClass()).describe(event);
    return builder.payloadJson(payload(event)).build();
  }

  private String payload(Object event) {
    try {
      return payloads.write(event);
    } catch (Exception e) {
      throw new OutboxException(
          "the payload of %s could not be written; nothing goes to the outbox"
              .formatted(event.getClass().getName()),
          e);
    }
  }
}
