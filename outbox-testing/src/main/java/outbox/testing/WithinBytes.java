package outbox.testing;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;

/** Takes rows, one after the other, until their payloads and headers have so many bytes. */
final class WithinBytes<T> implements Predicate<T> {

  private final long most;
  private final Function<T, OutboxEvent> event;
  private long bytes;

  WithinBytes(long most, Function<T, OutboxEvent> event) {
    this.most = most;
    this.event = event;
  }

  @Override
  public boolean test(T row) {
    boolean takes = bytes < most;
    if (most < Long.MAX_VALUE) {
      OutboxEvent taken = event.apply(row);
      bytes += length(taken.payloadJson()) + length(taken.headersJson());
    }
    return takes;
  }

  private static long length(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }
}
