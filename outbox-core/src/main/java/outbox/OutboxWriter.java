package outbox;

import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import outbox.internal.HeldBack;
import outbox.model.EventKey;
import outbox.spi.Claim;
import outbox.spi.OutboxStore;
import outbox.spi.TxContext;
import outbox.util.Nullable;

/**
 * Writes events in the caller's transaction: an event exists if and only if that transaction
 * commits.
 *
 * <p>Safe for all threads. Each write belongs to the transaction of the thread that calls it.
 *
 * <pre>{@code
 * try (var tx = transactions.begin()) {
 *   orders.insert(order);
 *   writer.write("OrderPlaced", "{\"id\":42}");
 *   tx.commit();
 * }
 * }</pre>
 */
public final class OutboxWriter {

  private final TxContext txContext;
  private final OutboxStore outboxStore;
  private final Supplier<WriterHook> hooks;

  /** Leaves delivery to a poller or to change data capture. */
  public OutboxWriter(TxContext txContext, OutboxStore outboxStore) {
    this(txContext, outboxStore, WriterHook.NOOP);
  }

  public OutboxWriter(TxContext txContext, OutboxStore outboxStore, WriterHook writerHook) {
    this(always(writerHook), txContext, outboxStore);
  }

  /**
   * With a hook that may be another one from write to write. Within a write it stays, so that
   * whoever gave out a claim is told what became of it, also if they were replaced meanwhile.
   */
  OutboxWriter(Supplier<WriterHook> hooks, TxContext txContext, OutboxStore outboxStore) {
    this.txContext = Objects.requireNonNull(txContext, "txContext must not be null");
    this.outboxStore = Objects.requireNonNull(outboxStore, "outboxStore must not be null");
    this.hooks = hooks;
  }

  private static Supplier<WriterHook> always(WriterHook writerHook) {
    Objects.requireNonNull(writerHook, "writerHook must not be null");
    return () -> writerHook;
  }

  /** The transactions that events are written in. */
  public TxContext txContext() {
    return txContext;
  }

  /** Returns the id of the event written, or null if the hook suppressed it. */
  public @Nullable String write(EventEnvelope event) {
    List<EventEnvelope> written = writeBatch(List.of(event));
    return written.isEmpty() ? null : written.get(0).eventId();
  }

  /** Returns the id of the event written, or null if the hook suppressed it. */
  public @Nullable String write(String eventType, String payloadJson) {
    return write(EventEnvelope.ofJson(eventType, payloadJson));
  }

  /** Returns the id of the event written, or null if the hook suppressed it. */
  public @Nullable String write(EventType eventType, String payloadJson) {
    return write(EventEnvelope.ofJson(eventType, payloadJson));
  }

  /**
   * Waits until no other transaction has locked the same aggregate, and locks it until this
   * transaction ends. Transactions that do this before they write its events commit in the order of
   * their events; those that change a row of the aggregate first do so anyway.
   *
   * @throws IllegalStateException if no transaction is active on this thread
   * @throws UnsupportedOperationException if the store can't do this
   */
  public void lockKey(@Nullable String aggregateType, String aggregateId) {
    EventKey key = new EventKey(aggregateType, aggregateId);
    outboxStore.ordered().lockKey(txContext.currentConnection(), key);
  }

  /**
   * Returns the ids of the events written, which are none if the hook suppressed them.
   *
   * @throws IllegalStateException if no transaction is active on this thread
   */
  public List<String> writeAll(List<EventEnvelope> events) {
    return writeBatch(events).stream().map(EventEnvelope::eventId).toList();
  }

  /**
   * Writes the event unless one with its id is there already, committed or written earlier in this
   * transaction, and says which. The transaction goes on either way. While another transaction is
   * writing the same id, this waits for its end; if that one is rolled back, this one writes.
   *
   * <p>Where the hook makes several events of it, the first stands for all: the others are written
   * with it or not at all.
   *
   * @throws IllegalStateException if no transaction is active on this thread
   * @throws UnsupportedOperationException if the store can't do this
   */
  public WriteResult writeIfAbsent(EventEnvelope event) {
    WriterHook hook = hooks.get();
    List<EventEnvelope> batch = prepare(List.of(event), hook);
    if (batch.isEmpty()) {
      return WriteResult.SUPPRESSED;
    }
    if (!insertIfAbsent(batch.get(0), hook)) {
      return WriteResult.ALREADY_THERE;
    }
    insert(batch.subList(1, batch.size()), hook);
    return WriteResult.WRITTEN;
  }

  /** Returns the events written. */
  private List<EventEnvelope> writeBatch(List<EventEnvelope> events) {
    WriterHook hook = hooks.get();
    List<EventEnvelope> batch = prepare(events, hook);
    insert(batch, hook);
    return batch;
  }

  /** The events to insert: what the hook makes of those given, or none. */
  private List<EventEnvelope> prepare(List<EventEnvelope> events, WriterHook hook) {
    List<EventEnvelope> given = List.copyOf(events);
    txContext.requireTransaction();
    List<EventEnvelope> changed = given.isEmpty() ? given : hook.beforeWrite(given);
    return changed == null ? List.of() : List.copyOf(changed);
  }

  private void insert(List<EventEnvelope> batch, WriterHook hook) {
    if (batch.isEmpty()) {
      return;
    }
    Connection connection = txContext.currentConnection();
    outboxStore.alignClock(connection);
    Claim claim = claim(batch, hook);
    boolean isClaimed;
    try {
      isClaimed = claim != null && insertClaimed(connection, batch, claim);
      if (!isClaimed) {
        insertFree(connection, batch);
      }
    } catch (Throwable e) {
      unclaim(batch, claim, hook);
      throw e;
    }
    if (!isClaimed) {
      unclaim(batch, claim, hook);
    }
    follow(batch, isClaimed ? claim : null, hook);
  }

  private boolean insertIfAbsent(EventEnvelope event, WriterHook hook) {
    List<EventEnvelope> batch = List.of(event);
    Connection connection = txContext.currentConnection();
    outboxStore.alignClock(connection);
    Claim claim = claim(batch, hook);
    boolean isWritten;
    try {
      isWritten = outboxStore.insertIfAbsent(connection, event, claim);
    } catch (Throwable e) {
      unclaim(batch, claim, hook);
      throw e;
    }
    if (isWritten) {
      follow(batch, claim, hook);
    } else {
      unclaim(batch, claim, hook);
    }
    return isWritten;
  }

  /** What is held back is inserted free: whoever polls when it is due may take it. */
  private boolean insertClaimed(Connection connection, List<EventEnvelope> batch, Claim claim) {
    if (!outboxStore.insertClaimed(connection, HeldBack.without(batch), claim)) {
      return false;
    }
    insertFree(connection, HeldBack.only(batch));
    return true;
  }

  private void insertFree(Connection connection, List<EventEnvelope> events) {
    if (events.size() == 1) {
      outboxStore.insertNew(connection, events.get(0));
    } else if (!events.isEmpty()) {
      outboxStore.insertBatch(connection, events);
    }
  }

  private static @Nullable Claim claim(List<EventEnvelope> batch, WriterHook hook) {
    if (hook == WriterHook.NOOP) {
      return null;
    }
    List<EventEnvelope> prompt = HeldBack.without(batch);
    return prompt.isEmpty() ? null : WrittenBatch.of(batch).ask("claim", () -> hook.claim(prompt));
  }

  private static void unclaim(List<EventEnvelope> batch, @Nullable Claim claim, WriterHook hook) {
    if (claim != null) {
      WrittenBatch.of(batch).run("unclaim", () -> hook.unclaim(claim));
    }
  }

  private void follow(List<EventEnvelope> batch, @Nullable Claim claim, WriterHook hook) {
    if (hook == WriterHook.NOOP) {
      return;
    }
    WrittenBatch written = WrittenBatch.of(batch);
    written.run("afterWrite", () -> WrittenBatch.hiding(batch, () -> hook.afterWrite(batch)));
    WriterHook.Ending ending = written.ask("ending", () -> hook.ending(batch, claim));
    if (ending != null) {
      txContext.afterCommit(() -> written.run("afterCommit", ending::committed));
      txContext.afterRollback(() -> written.run("afterRollback", ending::rolledBack));
    }
  }
}
