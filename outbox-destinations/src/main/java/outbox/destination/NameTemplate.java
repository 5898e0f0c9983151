package outbox.destination;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.NonRetryableException;

/** A template that has been read: text, and values of the event with what to take instead. */
final class NameTemplate implements NameRule {

  private final String template;
  private final List<Part> parts;
  private final UnaryOperator<String> encoder;

  private NameTemplate(String template, List<Part> parts, UnaryOperator<String> encoder) {
    this.template = template;
    this.parts = List.copyOf(parts);
    this.encoder = encoder;
  }

  /** Text as it stands, or the first value that the event has. */
  private record Part(@Nullable String text, List<NameValue> values) {

    @Nullable String of(EventEnvelope event) {
      for (NameValue value : values) {
        String found = value.of(event);
        if (found != null && !found.isEmpty()) {
          return found;
        }
      }
      return null;
    }
  }

  static NameTemplate parse(String template, UnaryOperator<String> encoder) {
    Objects.requireNonNull(template, "template must not be null");
    if (template.isBlank()) {
      throw new IllegalArgumentException("template must be a name, got: \"" + template + '"');
    }
    List<Part> parts = new ArrayList<>();
    int at = 0;
    while (at < template.length()) {
      int open = template.indexOf('{', at);
      int end = open < 0 ? template.length() : open;
      if (end > at) {
        parts.add(new Part(text(template, at, end), List.of()));
      }
      at = open < 0 ? end : addValue(template, open, parts);
    }
    return new NameTemplate(template, parts, encoder);
  }

  @Override
  public String nameFor(EventEnvelope event) {
    StringBuilder name = new StringBuilder();
    for (Part part : parts) {
      if (part.text() != null) {
        name.append(part.text());
      } else {
        name.append(encoder.apply(required(part, event)));
      }
    }
    return name.toString();
  }

  /** Whether every event has the same name. */
  boolean isConstant() {
    return parts.stream().allMatch(part -> part.text() != null);
  }

  String text() {
    return template;
  }

  @Override
  public String toString() {
    return template;
  }

  private String required(Part part, EventEnvelope event) {
    String value = part.of(event);
    if (value == null) {
      throw new NonRetryableException(
          "event %s of type %s has no %s, which its name is made of by %s; set it, or give a text to take instead, such as {tenant|'none'}"
              .formatted(
                  event.eventId(),
                  event.eventType(),
                  part.values().stream().map(NameValue::name).collect(Collectors.joining(" or ")),
                  template));
    }
    return value;
  }

  private static String text(String template, int from, int to) {
    String text = template.substring(from, to);
    if (text.indexOf('}') >= 0) {
      throw unreadable(template, "a } without its {");
    }
    return text;
  }

  /** Returns where the template goes on. */
  private static int addValue(String template, int open, List<Part> parts) {
    int close = template.indexOf('}', open);
    if (close < 0) {
      throw unreadable(template, "a { without its }");
    }
    List<NameValue> values = new ArrayList<>();
    for (String value : template.substring(open + 1, close).split("\\|", -1)) {
      values.add(NameValue.parse(value.strip(), template));
    }
    parts.add(new Part(null, List.copyOf(values)));
    return close + 1;
  }

  static IllegalArgumentException unreadable(String template, String reason) {
    return new IllegalArgumentException(
        "template must be text with {eventType}, {aggregateType}, {aggregateId}, {tenant}, {header:name} or {…|'text'}, got: %s (%s)"
            .formatted(template, reason));
  }
}
