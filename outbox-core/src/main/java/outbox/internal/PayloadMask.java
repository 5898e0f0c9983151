package outbox.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;

/**
 * Takes out of a text whatever it shares with a payload: the whole of it, or any part of {@value
 * #SHARED} characters and more. Shorter parts, such as a number or a name, may stay.
 */
public final class PayloadMask {

  static final int SHARED = 16;
  static final String MARK = "[payload]";

  /** Below this a payload says nothing: {@code {}}, {@code []}, a digit. */
  private static final int SHORTEST = 3;

  private static final int LONGEST_TEXT = 2 * ErrorText.MAX_LENGTH;
  private static final int BUCKETS = 1 << 16;

  /** Looking through the payloads of more takes too long for whoever waits. */
  private static final int MOST_EVENTS = 1000;

  private PayloadMask() {}

  /** At most {@value #LONGEST_TEXT} characters of the text, without the event's payload. */
  public static String hide(String text, EventEnvelope event) {
    byte[] payload = event.payloadBytes();
    String hidden = hide(text, new String(payload, StandardCharsets.UTF_8));
    if (event.isBinary()) {
      hidden = hide(hidden, new String(payload, StandardCharsets.ISO_8859_1));
    }
    return hide(hidden, Base64.getEncoder().encodeToString(payload));
  }

  /** Likewise without payload and headers of a row, which may lack either. */
  public static String hide(String text, OutboxEvent row) {
    String hidden = ErrorText.truncate(text, LONGEST_TEXT);
    for (String stored : Arrays.asList(row.payloadJson(), row.headersJson())) {
      hidden = stored == null ? hidden : hide(hidden, stored);
    }
    return hidden;
  }

  /** Takes out of texts what they share with any of these events; of too many, all of the text. */
  public static UnaryOperator<String> of(List<EventEnvelope> events) {
    return ofAll(events, PayloadMask::hide);
  }

  /** Likewise for rows. */
  public static UnaryOperator<String> ofRows(List<OutboxEvent> rows) {
    return ofAll(rows, PayloadMask::hide);
  }

  private static <T> UnaryOperator<String> ofAll(
      List<T> events, BiFunction<String, T, String> hide) {
    if (events.size() > MOST_EVENTS) {
      return text -> "[left out, because it may quote one of many events]";
    }
    return text -> {
      String hidden = text;
      for (T event : events) {
        hidden = hide.apply(hidden, event);
      }
      return hidden;
    };
  }

  /** Likewise for a payload as it is stored. */
  public static String hide(String text, String payload) {
    String bounded = ErrorText.truncate(text, LONGEST_TEXT);
    int window = Math.min(SHARED, payload.length());
    if (payload.length() < SHORTEST || bounded.length() < window) {
      return bounded;
    }
    return replace(bounded, shared(bounded, ErrorText.withoutNul(payload), window));
  }

  /** Which characters of the text stand in the payload, with as many around them. */
  private static BitSet shared(String text, String payload, int window) {
    Map<String, List<Integer>> starts = new HashMap<>();
    BitSet candidates = new BitSet(BUCKETS);
    for (int i = 0; i + window <= text.length(); i++) {
      String part = text.substring(i, i + window);
      starts.computeIfAbsent(part, start -> new ArrayList<>(1)).add(i);
      candidates.set(bucket(part.hashCode()));
    }
    BitSet shared = new BitSet(text.length());
    int hash = 0;
    int leaving = power(window);
    for (int end = 1; end <= payload.length(); end++) {
      hash = 31 * hash + payload.charAt(end - 1); // as String.hashCode does
      int start = end - window;
      hash -= start > 0 ? leaving * payload.charAt(start - 1) : 0;
      if (start >= 0 && candidates.get(bucket(hash))) {
        List<Integer> found = starts.remove(payload.substring(start, end));
        if (found != null) {
          found.forEach(at -> shared.set(at, at + window));
        }
      }
    }
    return shared;
  }

  private static int power(int exponent) {
    int power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 31;
    }
    return power;
  }

  private static int bucket(int hash) {
    return (hash ^ (hash >>> 16)) & (BUCKETS - 1);
  }

  private static String replace(String text, BitSet shared) {
    StringBuilder result = new StringBuilder();
    int from = 0;
    for (int at = shared.nextSetBit(0); at >= 0; at = shared.nextSetBit(from)) {
      result.append(text, from, splitsPair(text, at) ? at - 1 : at).append(MARK);
      int end = shared.nextClearBit(at);
      from = splitsPair(text, end) ? end + 1 : end;
    }
    return result.append(text, from, text.length()).toString();
  }

  /** What shares half of a character with the payload goes as a whole. */
  private static boolean splitsPair(String text, int at) {
    return at > 0
        && at < text.length()
        && Character.isSurrogatePair(text.charAt(at - 1), text.charAt(at));
  }
}
