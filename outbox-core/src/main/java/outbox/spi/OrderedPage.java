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
 * @param openEvents events of transactions that have not ended, up to the last row, and up to where
 *     was read before; an event that has just been committed may be among them
 * @param openTransactions ids of transactions that may have taken numbers up to the last row's and
 *     had not ended when the rows were read
 * @param highest the highest number of a pending event in the same view, if aggregates were passed
 *     over, else 0
 * @param isCut whether there are more behind the last row, left out because of their size
 */
public record OrderedPage(
    List<Row> rows,
    List<OpenEvent> openEvents,
    Set<Long> openTransactions,
    long highest,
    boolean isCut) {

  public OrderedPage {
    rows = List.copyOf(rows);
    openEvents = List.copyOf(openEvents);
    openTransactions = Set.copyOf(openTransactions);
  }

  /** Of a scan that passed over nothing. */
  public OrderedPage(List<Row> rows, List<OpenEvent> openEvents, Set<Long> openTransactions) {
    this(rows, openEvents, openTransactions, 0);
  }

  /** With all of the rows. */
  public OrderedPage(
      List<Row> rows, List<OpenEvent> openEvents, Set<Long> openTransactions, long highest) {
    this(rows, openEvents, openTransactions, highest, false);
  }

  /** An event with its number and its bucket, due since or from {@code availableAt} on. */
  public record Row(long seq, int bucket, OutboxEvent event, Instant availableAt) {

    /** When the event should have been delivered, as {@link Fetched#lateSince} has it. */
    public Instant lateSince() {
      return event.attempts() == 0 ? availableAt : event.createdAt();
    }

    /** The same with this event. */
    public Row with(OutboxEvent event) {
      return new Row(seq, bucket, event, availableAt);
    }
  }

  /** An event that may be committed later. */
  public record OpenEvent(long seq, @Nullable EventKey key) {}
}
