package outbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
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

  private static final Logger LOG = System.getLogger(OutboxWriter.class.getName());

  private final TxContext txContext;
  private final OutboxStore outboxStore;
  private final WriterHook writerHook;

  /** Leaves delivery to a poller or to change data capture. */
  public OutboxWriter(TxContext txContext, OutboxStore outboxStore) {
    this(txContext, outboxStore, WriterHook.NOOP);
  }

  public OutboxWriter(TxContext txContext, OutboxStore outboxStore, WriterHook writerHook) {
    this.txContext = Objects.requireNonNull(txContext, "txContext must not be null");
    this.outboxStore = Objects.requireNonNull(outboxStore, "outboxStore must not be null");
    this.writerHook = Objects.requireNonNull(writerHook, "writerHook must not be null");
  }

  /** Returns the id of the event written, or null if the hook suppressed it. */
  public @Nullable String write(EventEnvelope event) {
    List<String> ids = writeAll(List.of(event));
    return ids.isEmpty() ? null : ids.get(0);
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
   * Returns the ids of the events written, which are none if the hook suppressed them.
   *
   * @throws IllegalStateException if no transaction is active on this thread
   */
  public List<String> writeAll(List<EventEnvelope> events) {
    List<EventEnvelope> given = List.copyOf(events);
    txContext.requireTransaction();
    if (given.isEmpty()) {
      return List.of();
    }
    List<EventEnvelope> changed = writerHook.beforeWrite(given);
    if (changed == null || changed.isEmpty()) {
      return List.of();
    }
    List<EventEnvelope> batch = List.copyOf(changed);
    Claim claim = insert(batch);
    if (writerHook != WriterHook.NOOP) {
      follow(batch, claim);
    }
    return batch.stream().map(EventEnvelope::eventId).toList();
  }

  /** Returns the claim that the inserted rows carry, if any. */
  private @Nullable Claim insert(List<EventEnvelope> batch) {
    Connection connection = txContext.currentConnection();
    outboxStore.alignClock(connection);
    Claim claim = writerHook.claim(batch.size());
    if (claim != null && outboxStore.insertClaimed(connection, batch, claim)) {
      return claim;
    }
    if (batch.size() == 1) {
      outboxStore.insertNew(connection, batch.get(0));
    } else {
      outboxStore.insertBatch(connection, batch);
    }
    return null;
  }

  private void follow(List<EventEnvelope> batch, @Nullable Claim claim) {
    run("afterWrite", writerHook::afterWrite, batch);
    txContext.afterCommit(
        () -> run("afterCommit", events -> writerHook.afterCommit(events, claim), batch));
    txContext.afterRollback(() -> run("afterRollback", writerHook::afterRollback, batch));
  }

  /** Not even an Error may reach the caller: the events are written, and delivery can wait. */
  private static void run(
      String step, Consumer<List<EventEnvelope>> hook, List<EventEnvelope> batch) {
    try {
      hook.accept(batch);
    } catch (Throwable e) {
      LOG.log(
          Level.ERROR,
          () ->
              "writer hook failed in %s; its events are delivered from the database: count=%d firstEventId=%s"
                  .formatted(step, batch.size(), batch.get(0).eventId()),
          e);
    }
  }
}
