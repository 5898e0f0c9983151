package outbox.destination;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/** Something that a name can be made of. */
record NameValue(String name, Function<EventEnvelope, @Nullable String> value) {

  private static final String HEADER = "header:";
  private static final Map<String, Function<EventEnvelope, @Nullable String>> KNOWN =
      Map.of(
          "eventType", EventEnvelope::eventType,
          "aggregateType", EventEnvelope::aggregateType,
          "aggregateId", EventEnvelope::aggregateId,
          "tenant", EventEnvelope::tenantId);

  static NameValue parse(String text, String template) {
    Function<EventEnvelope, @Nullable String> known = KNOWN.get(text);
    if (known != null) {
      return new NameValue(text, known);
    }
    if (text.startsWith(HEADER) && text.length() > HEADER.length()) {
      String header = text.substring(HEADER.length());
      return new NameValue("header " + header, event -> event.header(header));
    }
    if (text.length() > 2 && text.startsWith("'") && text.endsWith("'")) {
      String literal = text.substring(1, text.length() - 1);
      return new NameValue(text, event -> literal);
    }
    throw NameTemplate.unreadable(template, "\"" + text + "\" is none of these");
  }

  @Nullable String of(EventEnvelope event) {
    return value.apply(event);
  }
}
