package outbox.testing;

import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.spi.Backlog;

/** Counts rows in memory that have not been delivered. */
record MemoryBacklog(MemoryTable table, MemoryTable.@Nullable Transaction tx, int atMost) {

  MemoryBacklog {
    if (atMost < 1) {
      throw new IllegalArgumentException("atMost must be at least 1, got: " + atMost);
    }
  }

  Backlog at(Instant now) {
    List<EventDetails> pending = table.select(tx, false, row -> true, atMost);
    return new Backlog(
        pending.size(),
        count(pending, row -> row.status() == EventStatus.RETRY),
        count(pending, row -> row.lockedBy() != null),
        table.select(tx, true, row -> row.status() == EventStatus.DEAD, atMost).size(),
        pending.stream().map(MemoryBacklog::lateSince).min(Instant::compareTo).orElse(null),
        now);
  }

  private static Instant lateSince(EventDetails row) {
    return row.event().attempts() == 0 ? row.availableAt() : row.event().createdAt();
  }

  private static int count(List<EventDetails> rows, Predicate<EventDetails> wanted) {
    return (int) rows.stream().filter(wanted).count();
  }
}
