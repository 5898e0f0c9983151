package outbox.poller;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import outbox.spi.Fetch.Position;
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

  private @Nullable Position position;
  private boolean full;
  private long startedNanos;
  private long nextFullNanos = System.nanoTime();

  /** Null for a look at everything. */
  @Nullable
  Position start() {
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
      position =
          new Position(
              first(rows, Fetched::availableAt), first(rows, row -> row.event().createdAt()));
    }
  }

  private static Instant first(List<Fetched> rows, Function<Fetched, Instant> time) {
    return rows.stream().map(time).min(Comparator.naturalOrder()).orElseThrow();
  }

  void startOver() {
    position = null;
  }
}
