package outbox.poller;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import outbox.spi.Fetched;
import outbox.util.Nullable;

/**
 * Where a poll starts to look. One that follows a full one starts where that one found its first
 * event, which spares the database everything before: rows that are finished but that an old
 * snapshot still needs, or that are claimed, not due or not wanted. Once in a while it looks at
 * everything all the same, because events can appear there: those of a slow transaction, or
 * retries.
 */
final class Scan {

  private static final long SHORTEST_PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

  /** A look at everything may take this part of the time. */
  private static final int MOST_OFTEN = 20;

  private @Nullable Instant position;
  private boolean full;
  private long startedNanos;
  private long nextFullNanos = System.nanoTime();

  /** The creation time to start from; null for a look at everything. */
  @Nullable
  Instant start() {
    startedNanos = System.nanoTime();
    full = position == null || startedNanos - nextFullNanos >= 0;
    return full ? null : position;
  }

  void fetched(List<Fetched> rows) {
    if (full) {
      long now = System.nanoTime();
      long pause = Math.max(SHORTEST_PERIOD_NANOS, MOST_OFTEN * (now - startedNanos));
      nextFullNanos = now + pause;
    }
    if (!rows.isEmpty()) {
      position = rows.get(0).event().createdAt();
    }
  }

  void startOver() {
    position = null;
  }
}
