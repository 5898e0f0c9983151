package outbox.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import outbox.EventEnvelope;
import outbox.util.Nullable;

/** What the {@link OutboxEvent} of a class says, found out once. */
final class EventClass {

  private static final ClassValue<Set<OutboxEvent>> ANNOTATIONS =
      new ClassValue<>() {
        @Override
        protected Set<OutboxEvent> computeValue(Class<?> type) {
          return nearest(type);
        }
      };

  private static final ClassValue<EventClass> KNOWN =
      new ClassValue<>() {
        @Override
        protected EventClass computeValue(Class<?> type) {
          return new EventClass(type, only(type));
        }
      };

  private record Header(String name, Member member) {}

  private final String eventType;
  private final @Nullable String aggregateType;
  private final @Nullable Member aggregateId;
  private final @Nullable Member tenantId;
  private final @Nullable Member eventId;
  private final @Nullable Member occurredAt;
  private final List<Header> headers = new ArrayList<>();

  private EventClass(Class<?> type, OutboxEvent annotation) {
    eventType = annotation.value().isEmpty() ? type.getSimpleName() : annotation.value();
    aggregateType = annotation.aggregateType().isEmpty() ? null : annotation.aggregateType();
    aggregateId = member(type, "aggregateId", annotation.aggregateId());
    tenantId = member(type, "tenantId", annotation.tenantId());
    eventId = member(type, "eventId", annotation.eventId());
    occurredAt = member(type, "occurredAt", annotation.occurredAt());
    for (String header : annotation.headers()) {
      headers.add(header(type, header));
    }
    EventEnvelope.builder(eventType).aggregateType(aggregateType); // refuses what doesn't fit
  }

  static boolean isAnnotated(Class<?> type) {
    return !ANNOTATIONS.get(type).isEmpty();
  }

  /**
   * @throws IllegalArgumentException if there is no annotation, or one that can't work
   */
  static EventClass of(Class<?> type) {
    return KNOWN.get(type);
  }

  String eventType() {
    return eventType;
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

  private static OutboxEvent only(Class<?> type) {
    Set<OutboxEvent> found = ANNOTATIONS.get(type);
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "%s is no event for the outbox: annotate it with @OutboxEvent".formatted(type.getName()));
    }
    if (found.size() > 1) {
      throw new IllegalArgumentException(
          "%s inherits %d different @OutboxEvent annotations: annotate the class itself"
              .formatted(type.getName(), found.size()));
    }
    return found.iterator().next();
  }

  private static Set<OutboxEvent> nearest(Class<?> type) {
    OutboxEvent own = type.getDeclaredAnnotation(OutboxEvent.class);
    if (own != null) {
      return Set.of(own);
    }
    Set<OutboxEvent> inherited = new LinkedHashSet<>();
    if (type.getSuperclass() != null) {
      inherited.addAll(nearest(type.getSuperclass()));
    }
    for (Class<?> each : type.getInterfaces()) {
      inherited.addAll(nearest(each));
    }
    return inherited;
  }
}
