package outbox.cloudevents;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.destination.Protocol;

/** How a protocol names attributes and writes their values, by the specification's bindings. */
enum Binding {
  KAFKA("ce_"),
  /** Other writers have a colon where the specification now prefers what JMS allows. */
  AMQP("cloudEvents_", "cloudEvents:"),
  HTTP("ce-") {
    @Override
    String written(String value) {
      return PercentEncoding.encode(value);
    }

    @Override
    String read(String value) {
      return PercentEncoding.decode(value);
    }
  };

  private final String prefix;
  private final List<String> prefixes;

  Binding(String... prefixes) {
    prefix = prefixes[0];
    this.prefixes = List.of(prefixes);
  }

  static Binding of(Protocol protocol) {
    return switch (protocol) {
      case KAFKA -> KAFKA;
      case AMQP -> AMQP;
      case HTTP -> HTTP;
    };
  }

  String header(String attribute) {
    return prefix + attribute;
  }

  /** The attribute's name, or null for a header that is none. */
  @Nullable String attribute(String header) {
    for (String one : prefixes) {
      if (header.regionMatches(true, 0, one, 0, one.length())) {
        return header.substring(one.length()).toLowerCase(Locale.ROOT);
      }
    }
    return null;
  }

  String written(String value) {
    return value;
  }

  String read(String value) {
    return value;
  }

  /** What travels beside the attributes; what has an attribute's name would be taken for one. */
  Map<String, String> headersBeside(EventEnvelope event) {
    Map<String, String> plain = new LinkedHashMap<>();
    event
        .headers()
        .forEach(
            (name, value) -> {
              if (value != null && attribute(name) == null && !Attributes.replaces(event, name)) {
                plain.put(name, value);
              }
            });
    return plain;
  }

  Map<String, String> plainHeaders(Map<String, String> headers) {
    Map<String, String> plain = new LinkedHashMap<>(headers);
    plain.keySet().removeIf(name -> attribute(name) != null);
    return plain;
  }
}
