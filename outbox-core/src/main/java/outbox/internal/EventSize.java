package outbox.internal;

import java.util.Map;
import outbox.EventEnvelope;
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
}
