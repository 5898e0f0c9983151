package outbox.domain;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.spi.Transaction;

/**
 * A transaction that knows the aggregates changed in it, and writes the events they have raised
 * when it commits: all of them, or none of it happened.
 *
 * <p>After the commit the aggregates' events are cleared. After a rollback they are kept, as the
 * aggregates are: whoever goes on with them in another unit of work has their events written there;
 * whoever loads them anew has none.
 *
 * <p>Events are written aggregate by aggregate, in the order of tracking; those of an aggregate in
 * the order they were raised. Belongs to one thread.
 *
 * <pre>{@code
 * try (UnitOfWork work = UnitOfWork.in(database.begin(), outbox.writer(), events)) {
 *   Order order = work.track(Order.place(42));
 *   orders.insert(database.connection(), order);
 *   work.commit();
 * }
 * }</pre>
 */
public final class UnitOfWork implements AutoCloseable {

  private final Transaction transaction;
  private final OutboxWriter writer;
  private final EventMapper mapper;
  private final List<EventSource> tracked = new ArrayList<>();
  private final Set<EventSource> known = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean ended;

  private UnitOfWork(Transaction transaction, OutboxWriter writer, EventMapper mapper) {
    this.transaction = Objects.requireNonNull(transaction, "transaction must not be null");
    this.writer = Objects.requireNonNull(writer, "writer must not be null");
    this.mapper = Objects.requireNonNull(mapper, "mapper must not be null");
  }

  /**
   * Takes over a transaction that has just begun on this thread, and ends it.
   *
   * @param writer one that writes in this transaction
   */
  public static UnitOfWork in(Transaction transaction, OutboxWriter writer, EventMapper mapper) {
    return new UnitOfWork(transaction, writer, mapper);
  }

  /**
   * Has the commit write what this aggregate has raised until then; a second time changes nothing.
   *
   * @return the aggregate
   */
  public <T extends EventSource> T track(T aggregate) {
    Objects.requireNonNull(aggregate, "aggregate must not be null");
    requireOpen();
    if (known.add(aggregate)) {
      tracked.add(aggregate);
    }
    return aggregate;
  }

  /**
   * Writes the events and commits. If either fails, everything is rolled back.
   *
   * @throws IllegalArgumentException if an event is none for the outbox; says why
   */
  public void commit() throws SQLException {
    requireOpen();
    ended = true;
    try {
      writeEvents();
    } catch (Throwable e) {
      rollBackAfter(e);
      throw e;
    }
    transaction.commit();
  }

  /** Rolls back; the aggregates keep their events. */
  public void rollback() throws SQLException {
    ended = true;
    transaction.rollback();
  }

  /** Rolls back what was not committed. */
  @Override
  public void close() throws SQLException {
    ended = true;
    transaction.close();
  }

  private void writeEvents() {
    List<EventEnvelope> envelopes = new ArrayList<>();
    for (EventSource aggregate : tracked) {
      aggregate.events().forEach(event -> envelopes.add(mapper.map(event)));
    }
    if (!envelopes.isEmpty()) {
      writer.writeAll(envelopes);
      // Not after commit() returned: a callback of somebody else's may have it throw. One each, so
      // that an aggregate that throws keeps no other one's.
      tracked.forEach(aggregate -> writer.txContext().afterCommit(aggregate::clearEvents));
    }
  }

  private void rollBackAfter(Throwable failure) {
    try {
      transaction.rollback();
    } catch (SQLException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void requireOpen() {
    if (ended) {
      throw new IllegalStateException("the unit of work has ended; begin another one");
    }
  }
}
