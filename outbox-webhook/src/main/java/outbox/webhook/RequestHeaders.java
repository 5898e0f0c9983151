package outbox.webhook;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import outbox.EventEnvelope;
import outbox.NonRetryableException;

/** Makes headers of HTTP of what stands beside a message. */
final class RequestHeaders {

  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7E]*");

  /** What HTTP or the connection says of itself, and credentials: never taken from an event. */
  private static final Set<String> KEPT =
      Set.of(
          "authorization",
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "cookie",
          "date",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "user-agent",
          "via");

  private RequestHeaders() {}

  /**
   * Those of a message, under lower-case names; without what HTTP keeps for itself. Of names that
   * differ in case only, the one in lower case counts, as those of the format and the outbox are.
   */
  static Map<String, String> of(Map<String, String> headers, EventEnvelope event) {
    Map<String, String> usable = new LinkedHashMap<>();
    Map<String, String> lowerCaseLast = new TreeMap<>(headers); // as ASCII has it
    lowerCaseLast.forEach(
        (name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (!isKept(lower)) {
            requireName(name, event);
            usable.put(lower, encoded(value));
          }
        });
    return usable;
  }

  /** A header that the application sets for every request. */
  static void requireUsable(String name, String value) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean isOwn = lower.equals("authorization") || lower.equals("cookie");
    Checks.that(NAME.matcher(name).matches(), "header name", "a token of HTTP", name);
    Checks.that(isOwn || !isKept(lower), "header name", "none that HTTP keeps for itself", name);
    requirePrintable("the value of header " + name, value);
  }

  /** Without the value, which may be a secret. */
  static void requirePrintable(String name, String value) {
    Checks.that(PRINTABLE.matcher(value).matches(), name, "printable ASCII", "something else");
  }

  /** The id is signed as text with dots around it, and goes into a header as it is. */
  static String id(EventEnvelope event) {
    String id = event.eventId();
    if (!PRINTABLE.matcher(id).matches() || id.indexOf('.') >= 0 || id.indexOf(' ') >= 0) {
      throw new NonRetryableException(
          "event %s can't be sent as a webhook: its id must be printable ASCII without dots and spaces"
              .formatted(id));
    }
    return id;
  }

  /** As CloudEvents has it for HTTP: UTF-8, percent-encoded, and only where it must be. */
  static String encoded(String value) {
    if (PRINTABLE.matcher(value).matches()) {
      return value.strip();
    }
    StringBuilder encoded = new StringBuilder();
    for (byte next : value.getBytes(StandardCharsets.UTF_8)) {
      boolean isPrintable = next >= 0x20 && next < 0x7F && next != '%';
      encoded.append(isPrintable ? String.valueOf((char) next) : "%%%02X".formatted(next & 0xFF));
    }
    return encoded.toString();
  }

  private static boolean isKept(String lower) {
    return KEPT.contains(lower) || lower.startsWith("proxy-") || lower.startsWith("webhook-");
  }

  private static void requireName(String name, EventEnvelope event) {
    if (!NAME.matcher(name).matches()) {
      throw new NonRetryableException(
          "event %s of type %s can't be sent as a webhook: header name must be a token of HTTP, got: %s"
              .formatted(event.eventId(), event.eventType(), name));
    }
  }
}
