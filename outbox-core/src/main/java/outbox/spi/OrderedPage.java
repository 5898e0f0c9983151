package outbox.spi;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import outbox.model.EventKey;
import outbox.model.OutboxEvent;
import outbox.util.Nullable;

/**
 * What was read in order, and what could not be read because its transaction has not ended. A store
 * tells of the latter in the way that it can: by the events, or by the transactions.
 *
 * <p>Neither is complete: a database gives an event its number a moment before the event or its
 * transaction shows, unless the transaction has locked the aggregate by {@link
 * OrderedStore#lockKey} on PostgreSQL. Whoever goes on above the last row must look below again,
 * after such a moment.
 *
 * @param rows in the order of their numbers
 * @param openEvents events of transactions that have not ended, as far as their numbers are not
 *     above the last row's; an event that has just been committed may be among them
 * @param openTransactions ids of transactions that may have taken numbers up to the last row's and
 *     had not ended when the rows were read
 */
public record OrderedPage(List<Row> rows, List<OpenEvent> openEvents, Set<Long> openTransactions) {

  public OrderedPage {
    rows = List.copyOf(rows);
    openEvents = List.copyOf(openEvents);
    openTransactions = Set.copyOf(openTransactions);
  }

  /** An event with its number and its bucket, due since or from {@code availableAt} on. */
  public record Row(long seq, int bucket, OutboxEvent event, Instant availableAt) {}

  /** An event that may be committed later. */
  public record OpenEvent(long seq, @Nullable EventKey key) {}
}
