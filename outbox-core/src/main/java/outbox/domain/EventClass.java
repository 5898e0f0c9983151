package outbox.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import outbox.EventEnvelope;
import outbox.util.Nullable;

/** What the {@link OutboxEvent} of a class says. */
final class EventClass {

  private record Header(String name, Member member) {}

  private final Class<?> type;
  private final Class<?> annotatedAt;
  private final boolean isTypeNamed;
  private final String eventType;
  private final @Nullable String aggregateType;
  private final @Nullable Member aggregateId;
  private final @Nullable Member tenantId;
  private final @Nullable Member eventId;
  private final @Nullable Member occurredAt;
  private final List<Header> headers = new ArrayList<>();

  private EventClass(Class<?> type, Class<?> annotatedAt, OutboxEvent annotation) {
    this.type = type;
    this.annotatedAt = annotatedAt;
    isTypeNamed = !annotation.value().isEmpty();
    eventType = isTypeNamed ? annotation.value() : type.getSimpleName();
    aggregateType = annotation.aggregateType().isEmpty() ? null : annotation.aggregateType();
    aggregateId = member(type, "aggregateId", annotation.aggregateId());
    tenantId = member(type, "tenantId", annotation.tenantId());
    eventId = member(type, "eventId", annotation.eventId());
    occurredAt = member(type, "occurredAt", annotation.occurredAt());
    for (String header : annotation.headers()) {
      headers.add(header(type, header));
    }
    refuseWhatDoesNotFit();
  }

  /**
   * @param annotations those that count, by the class that carries each
   * @throws IllegalArgumentException unless there is one, and it can work
   */
  static EventClass of(Class<?> type, Map<Class<?>, OutboxEvent> annotations) {
    if (annotations.isEmpty()) {
      throw new IllegalArgumentException(
          "%s is no event for the outbox: annotate it with @OutboxEvent".formatted(type.getName()));
    }
    long different = annotations.values().stream().distinct().count();
    if (different > 1) {
      throw new IllegalArgumentException(
          "%s inherits %d different @OutboxEvent annotations: annotate the class itself"
              .formatted(type.getName(), different));
    }
    Map.Entry<Class<?>, OutboxEvent> only = annotations.entrySet().iterator().next();
    return new EventClass(type, only.getKey(), only.getValue());
  }

  String name() {
    return type.getName();
  }

  String eventType() {
    return eventType;
  }

  /** Whether the same event type is meant, and not an accident. */
  boolean sharesTypeWith(EventClass other) {
    return type == other.type || (isTypeNamed && annotatedAt == other.annotatedAt);
  }

  /** All but the payload. */
  EventEnvelope.Builder describe(Object event) {
    EventEnvelope.Builder builder = EventEnvelope.builder(eventType).aggregateType(aggregateType);
    if (aggregateId != null) {
      builder.aggregateId(aggregateId.requireText(event));
    }
    if (tenantId != null) {
      builder.tenantId(tenantId.text(event));
    }
    if (eventId != null) {
      builder.eventId(eventId.requireText(event));
    }
    if (occurredAt != null) {
      builder.occurredAt(occurredAt.require(event, Instant.class));
    }
    for (Header header : headers) {
      String value = header.member().text(event);
      if (value != null) {
        builder.header(header.name(), value);
      }
    }
    return builder;
  }

  /** Names of headers included: some are the outbox's own. */
  private void refuseWhatDoesNotFit() {
    try {
      EventEnvelope.Builder builder = EventEnvelope.builder(eventType).aggregateType(aggregateType);
      headers.forEach(header -> builder.header(header.name(), null));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "@OutboxEvent for %s can't work: %s".formatted(type.getName(), e.getMessage()), e);
    }
  }

  private static @Nullable Member member(Class<?> type, String role, String path) {
    return path.isEmpty() ? null : Member.of(type, role, path);
  }

  private static Header header(Class<?> type, String text) {
    int sign = text.indexOf('=');
    String name = (sign < 0 ? text : text.substring(0, sign)).strip();
    String path = text.substring(sign + 1).strip();
    if (name.isEmpty() || path.isEmpty()) {
      throw new IllegalArgumentException(
          "a header of @OutboxEvent must be a member, or \"name = member\", got: \"%s\" for %s"
              .formatted(text, type.getName()));
    }
    return new Header(name, Member.of(type, "header " + name, path));
  }
}
