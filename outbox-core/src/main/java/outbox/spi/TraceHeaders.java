package outbox.spi;

import java.util.HashMap;
import java.util.Map;
import outbox.EventEnvelope;
import outbox.EventHeaders;

/**
 * Adds to events what a tracer wants to travel with them, and never fails a write for it: what is
 * not plain text, or longer than {@value #LONGEST} characters, stays behind.
 */
public final class TraceHeaders {

  /** What every implementation of the W3C's Baggage must accept. */
  static final int LONGEST = 8192;

  private TraceHeaders() {}

  /**
   * Whether somebody has already said which trace the event belongs to; that stays. The name is in
   * lower case, as whoever delivers the event reads it.
   */
  public static boolean areIn(EventEnvelope event) {
    return event.headers().containsKey(EventHeaders.TRACEPARENT);
  }

  /** The event with these headers, as far as it can carry them; its own stay. */
  public static EventEnvelope added(EventEnvelope event, Map<String, String> headers) {
    Map<String, String> fitting = new HashMap<>(headers);
    fitting.values().removeIf(value -> value.length() > LONGEST || !isPlain(value));
    try {
      return fitting.isEmpty() ? event : event.withHeaders(fitting);
    } catch (IllegalArgumentException tooMany) {
      return event;
    }
  }

  private static boolean isPlain(String value) {
    return value.chars().allMatch(c -> c >= ' ' && c <= '~');
  }
}
