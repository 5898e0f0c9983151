package outbox.destination;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.NonRetryableException;
import outbox.internal.ErrorText;

/**
 * A row of its own for one of an event's destinations. Its id follows from the event's, so that
 * making it twice makes it once; its type names the destination, so that a poller can leave it
 * alone; its aggregate is the destination's, so that it waits only for those before it that go
 * there, too.
 */
final class Copy {

  static final String TYPE = "outbox-to:";

  private static final String ORIGINAL_ID = "outbox-original-id";
  private static final String ORIGINAL_TYPE = "outbox-original-type";
  private static final String ORIGINAL_AGGREGATE = "outbox-original-aggregate-type";
  private static final int LONGEST_AGGREGATE_TYPE = 64;
  private static final int ID_PREFIX = 10;
  private static final int ID_HASH = 20;
  private static final int AGGREGATE_HASH = 8;

  private Copy() {}

  static String type(String destination) {
    return TYPE + destination;
  }

  static EventEnvelope of(EventEnvelope event, String destination) {
    Map<String, @Nullable String> headers = new LinkedHashMap<>(event.headers());
    headers.remove(EventHeaders.SEQUENCE); // the copy gets its own
    headers.remove(EventHeaders.EPOCH);
    headers.put(ORIGINAL_ID, event.eventId());
    headers.put(ORIGINAL_TYPE, event.eventType());
    headers.put(ORIGINAL_AGGREGATE, event.aggregateType());
    return like(event, type(destination))
        .eventId(id(event.eventId(), destination))
        .aggregateType(aggregateType(event.aggregateType(), destination))
        .headers(headers)
        .build();
  }

  /** The event as it was written, with what the outbox has added to the copy since. */
  static EventEnvelope original(EventEnvelope copy) {
    Map<String, @Nullable String> headers = new LinkedHashMap<>(copy.headers());
    String id = headers.remove(ORIGINAL_ID);
    String type = headers.remove(ORIGINAL_TYPE);
    String aggregateType = headers.remove(ORIGINAL_AGGREGATE);
    if (id == null || type == null) {
      throw new NonRetryableException(
          "event %s of type %s was not written by a fan-out; event types must not begin with %s"
              .formatted(copy.eventId(), copy.eventType(), TYPE));
    }
    return like(copy, type).eventId(id).aggregateType(aggregateType).headers(headers).build();
  }

  /** Begins like the event's, so that both stand near each other in an index. */
  static String id(String eventId, String destination) {
    String hash = hash(eventId + '\n' + destination, ID_HASH);
    boolean isPlain = eventId.chars().allMatch(c -> c > ' ' && c < 0x7F);
    return isPlain
        ? eventId.substring(0, Math.min(ID_PREFIX, eventId.length())) + '-' + hash
        : hash;
  }

  static String aggregateType(String aggregateType, String destination) {
    String full = aggregateType + '@' + destination;
    if (full.length() <= LONGEST_AGGREGATE_TYPE) {
      return full;
    }
    String end = '~' + hash(aggregateType, AGGREGATE_HASH) + '@' + destination;
    return ErrorText.truncate(aggregateType, LONGEST_AGGREGATE_TYPE - end.length()) + end;
  }

  private static EventEnvelope.Builder like(EventEnvelope event, String eventType) {
    EventEnvelope.Builder builder =
        EventEnvelope.builder(eventType)
            .occurredAt(event.occurredAt())
            .aggregateId(event.aggregateId())
            .tenantId(event.tenantId());
    return event.isBinary()
        ? builder.payloadBytes(event.payloadBytes())
        : builder.payloadJson(event.payloadJson());
  }

  /** More than five bits per character. */
  private static String hash(String text, int length) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      String digits = "0".repeat(length) + new BigInteger(1, digest).toString(Character.MAX_RADIX);
      return digits.substring(digits.length() - length);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
