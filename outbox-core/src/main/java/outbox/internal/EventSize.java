package outbox.internal;

import java.util.Map;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;
import outbox.util.Nullable;

/** How much memory an event takes, near enough to keep to a budget. */
public final class EventSize {

  /** The envelope, its other fields, and its place in queues and tables. */
  private static final long OVERHEAD = 512;

  /** A name, a value and their place, however short they are. */
  private static final long PER_HEADER = 128;

  private EventSize() {}

  /** In bytes. */
  public static long of(EventEnvelope event) {
    long size = OVERHEAD + event.payloadSize();
    for (Map.Entry<String, @Nullable String> header : event.headers().entrySet()) {
      String value = header.getValue();
      size += PER_HEADER + header.getKey().length() + (value == null ? 0 : value.length());
    }
    return size;
  }

  /** As it was read, when bytes may still be text. */
  public static long of(EventEnvelope event, OutboxEvent row) {
    return Math.max(of(event), OVERHEAD + characters(row));
  }

  /** How many characters a row has, which may be up to three bytes each. */
  public static long characters(OutboxEvent row) {
    return length(row.payloadJson()) + length(row.headersJson());
  }

  private static long length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }
}
