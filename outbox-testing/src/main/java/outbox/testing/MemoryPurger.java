package outbox.testing;

import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.spi.EventPurger;
import outbox.spi.PurgeRequest;

/** Purges a table in memory as those of databases do: lock, archive, delete. */
record MemoryPurger(MemoryTable table) implements EventPurger {

  @Override
  public int purge(@Nullable Connection connection, Instant before, int limit) {
    return table
        .change(
            MemoryConnection.transactionOf(connection, table),
            true,
            row -> endedBefore(row, before),
            limit,
            row -> Optional.empty())
        .size();
  }

  @Override
  public int purge(@Nullable Connection connection, PurgeRequest request) {
    MemoryTable.Transaction callers = MemoryConnection.transactionOf(connection, table);
    if (callers != null) {
      return purge(callers, request);
    }
    MemoryTable.Transaction own = new MemoryTable.Transaction();
    try {
      int deleted = purge(own, request);
      table.commit(own);
      return deleted;
    } finally {
      table.rollback(own);
    }
  }

  @Override
  public boolean isSelective() {
    return true;
  }

  private int purge(MemoryTable.Transaction tx, PurgeRequest request) {
    boolean isFinal = request.scope() != PurgeRequest.Scope.UNCLAIMED;
    List<EventDetails> locked =
        table.change(tx, isFinal, expired(request), request.limit(), Optional::of);
    request.archive(locked);
    Set<String> ids = locked.stream().map(row -> row.event().eventId()).collect(Collectors.toSet());
    return table
        .change(
            tx,
            isFinal,
            row -> ids.contains(row.event().eventId()),
            ids.size(),
            row -> Optional.empty())
        .size();
  }

  private static Predicate<EventDetails> expired(PurgeRequest request) {
    Instant before = request.before();
    return switch (request.scope()) {
      case DONE -> row -> row.status() == EventStatus.DONE && endedBefore(row, before);
      case DEAD -> row -> row.status() == EventStatus.DEAD && endedBefore(row, before);
      case UNCLAIMED ->
          row ->
              row.status() == EventStatus.NEW
                  && row.lockedBy() == null
                  && row.event().createdAt().isBefore(before)
                  && row.availableAt().isBefore(before);
    };
  }

  private static boolean endedBefore(EventDetails row, Instant before) {
    return row.doneAt() != null && row.doneAt().isBefore(before);
  }
}
