package outbox.spring.boot;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import outbox.EventEnvelope;
import outbox.NonRetryableException;

/** What a parameter of a listener method is given of an event. */
@FunctionalInterface
interface Argument {

  @Nullable Object of(EventEnvelope event) throws Exception;

  /**
   * One for each parameter.
   *
   * @throws IllegalArgumentException if a parameter can't be given anything; says why
   */
  static List<Argument> all(Method method, Class<?> target, @Nullable PayloadReader reader) {
    List<Argument> arguments = new ArrayList<>();
    int payloads = 0;
    for (int index = 0; index < method.getParameterCount(); index++) {
      Parameter parameter = method.getParameters()[index];
      Type type = ResolvableType.forMethodParameter(method, index, target).getType();
      MergedAnnotation<OutboxHeader> header =
          MergedAnnotations.from(parameter).get(OutboxHeader.class);
      if (header.isPresent()) {
        arguments.add(header(header.getString("value"), type));
      } else if (type == EventEnvelope.class) {
        arguments.add(event -> event);
      } else {
        arguments.add(payload(type, reader));
        payloads++;
      }
    }
    if (payloads > 1) {
      throw new IllegalArgumentException(
          "it has %d parameters for the payload, and there is one payload; besides it take the"
                  .formatted(payloads)
              + " EventEnvelope, or headers with @OutboxHeader");
    }
    return arguments;
  }

  private static Argument header(String name, Type type) {
    boolean isMap = ResolvableType.forType(type).resolve() == Map.class;
    if (name.isEmpty() ? !isMap : type != String.class) {
      throw new IllegalArgumentException(
          "a parameter with @OutboxHeader must be a Map<String, String>, or a String if the header"
              + " is named, got: "
              + type.getTypeName());
    }
    return name.isEmpty() ? EventEnvelope::headers : event -> event.header(name);
  }

  private static Argument payload(Type type, @Nullable PayloadReader reader) {
    if (type == String.class) {
      return event -> Argument.text(event, String.class);
    }
    if (type == byte[].class) {
      return EventEnvelope::payloadBytes;
    }
    if (reader == null) {
      throw new IllegalArgumentException(
          "nothing can read JSON as %s: add spring-boot-starter-json (Spring Boot 4: spring-boot-starter-jackson) or a PayloadReader bean, or take the payload as String or byte[]"
              .formatted(type.getTypeName()));
    }
    return event -> reader.read(event, type);
  }

  /** The payload as text; bytes that are none can never be read. */
  static String text(EventEnvelope event, Type type) {
    String text = event.payloadJson();
    if (text == null) {
      throw unreadable(event, type, "it is not UTF-8");
    }
    return text;
  }

  /** Says nothing of the payload, and takes no cause that would. */
  static NonRetryableException unreadable(EventEnvelope event, Type type, String why) {
    return new NonRetryableException(
        "the payload of event %s of type %s can't be read as %s: %s"
            .formatted(event.eventId(), event.eventType(), type.getTypeName(), why));
  }
}
