package outbox.cloudevents;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.destination.Protocol;

/** How a protocol names attributes and writes their values, by the specification's bindings. */
enum Binding {
  KAFKA("ce_"),
  /** Other writers have a colon where the specification now prefers what JMS allows. */
  AMQP("cloudEvents_") {
    @Override
    boolean isAttribute(String header) {
      return super.isAttribute(header) || startsWith(header, "cloudEvents:");
    }
  },
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

  Binding(String prefix) {
    this.prefix = prefix;
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
    return isAttribute(header) ? header.substring(prefix.length()).toLowerCase(Locale.ROOT) : null;
  }

  boolean isAttribute(String header) {
    return startsWith(header, prefix);
  }

  static boolean startsWith(String header, String prefix) {
    return header.regionMatches(true, 0, prefix, 0, prefix.length());
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
              if (value != null && !isAttribute(name) && !Attributes.replaces(event, name)) {
                plain.put(name, value);
              }
            });
    return plain;
  }

  Map<String, String> plainHeaders(Map<String, String> headers) {
    Map<String, String> plain = new LinkedHashMap<>(headers);
    plain.keySet().removeIf(this::isAttribute);
    return plain;
  }
}
