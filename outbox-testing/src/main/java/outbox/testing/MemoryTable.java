package outbox.testing;

import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.model.EventDetails;

/**
 * A table with transactions: each row has a committed version and at most one uncommitted one,
 * which only its transaction sees and which makes other writers wait, as in a real database.
 *
 * <p>A null transaction means auto-commit. Guarded by its monitor.
 */
final class MemoryTable {

  private static final long LOCK_TIMEOUT_NANOS = Duration.ofSeconds(10).toNanos();

  private static final Comparator<Row> OLDEST_FIRST =
      Comparator.comparing((Row row) -> row.createdAt).thenComparing(row -> row.eventId);

  /** Rows in a final state or not, in the order of their creation. */
  record Selection(
      boolean isFinal, Predicate<EventDetails> filter, boolean newestFirst, int limit) {}

  /** What one connection did since its last commit. */
  static final class Transaction {
    private final List<Change> changes = new ArrayList<>();
    private final List<Savepoint> savepoints = new ArrayList<>();

    MemorySavepoint setSavepoint(@Nullable String name) {
      MemorySavepoint savepoint = new MemorySavepoint(changes.size(), name);
      savepoints.add(savepoint);
      return savepoint;
    }

    /** Forgets the savepoint; false if it isn't one of this transaction, or not any more. */
    boolean release(@Nullable Savepoint savepoint) {
      return savepoints.remove(savepoint);
    }

    /** Those set since are gone; false if it isn't one of this transaction, or not any more. */
    private boolean returnTo(Savepoint savepoint) {
      int index = savepoints.indexOf(savepoint);
      savepoints.subList(index + 1, savepoints.size()).clear();
      return index >= 0;
    }

    private void clear() {
      changes.clear();
      savepoints.clear();
    }
  }

  /** Something that a transaction did and that can be undone. */
  private interface Change {
    void undo();

    /** Makes it seen by others, if there is anything to do. */
    default void end(boolean commit) {
      if (!commit) {
        undo();
      }
    }
  }

  /** What a row was like in its transaction before a change; the first one also locked it. */
  private final class RowChange implements Change {
    private final Row row;
    private final @Nullable Transaction writer;
    private final Optional<EventDetails> before;

    RowChange(Row row) {
      this.row = row;
      writer = row.writer;
      before = row.uncommitted;
    }

    @Override
    public void undo() {
      row.uncommitted = before;
      row.writer = writer;
      index(row);
    }

    @Override
    public void end(boolean commit) {
      if (writer != null) {
        return;
      }
      row.committed = commit ? row.uncommitted : row.committed;
      row.uncommitted = Optional.empty();
      row.writer = null;
      index(row);
    }
  }

  private static final class Row {

    private final long seq;
    private final String eventId;
    private final Instant createdAt;
    private Optional<EventDetails> committed = Optional.empty();
    private Optional<EventDetails> uncommitted = Optional.empty();
    private @Nullable Transaction writer;

    Row(long seq, EventDetails details) {
      this.seq = seq;
      eventId = details.event().eventId();
      createdAt = details.event().createdAt();
    }

    Optional<EventDetails> seenBy(@Nullable Transaction tx) {
      return writer != null && writer == tx ? uncommitted : committed;
    }

    boolean isLockedFor(@Nullable Transaction tx) {
      return writer != null && writer != tx;
    }
  }

  private final Map<String, Row> rows = new HashMap<>();
  // Apart, so that finished events cost a poll nothing.
  private final TreeSet<Row> unfinished = new TreeSet<>(OLDEST_FIRST);
  private final TreeSet<Row> finished = new TreeSet<>(OLDEST_FIRST);
  private final TreeMap<Long, Row> numbered = new TreeMap<>();
  private final MemoryLocks locks = new MemoryLocks();
  private long lastNumber;

  synchronized Optional<EventDetails> find(@Nullable Transaction tx, String eventId) {
    Row row = rows.get(eventId);
    return row == null ? Optional.empty() : row.seenBy(tx);
  }

  /** False if the id is taken. */
  synchronized boolean insert(@Nullable Transaction tx, EventDetails details) {
    String eventId = details.event().eventId();
    awaitLock(tx, eventId);
    if (rows.containsKey(eventId)) {
      return false;
    }
    Row row = new Row(++lastNumber, details);
    rows.put(eventId, row);
    write(tx, row, Optional.of(details));
    return true;
  }

  /** Changes one row if it is there and the condition holds; returns how many that were. */
  synchronized int update(
      @Nullable Transaction tx,
      String eventId,
      Predicate<EventDetails> condition,
      UnaryOperator<EventDetails> change) {
    return change(tx, eventId, condition, row -> Optional.of(change.apply(row)));
  }

  /** Likewise; a change to nothing deletes the row. */
  synchronized int change(
      @Nullable Transaction tx,
      String eventId,
      Predicate<EventDetails> condition,
      Function<EventDetails, Optional<EventDetails>> change) {
    awaitLock(tx, eventId);
    Row row = rows.get(eventId);
    Optional<EventDetails> before =
        row == null ? Optional.empty() : row.seenBy(tx).filter(condition);
    if (row == null || before.isEmpty()) {
      return 0;
    }
    write(tx, row, change.apply(before.get()));
    return 1;
  }

  /** The first rows in order that match, among those not in a final state or those that are. */
  synchronized List<EventDetails> select(
      @Nullable Transaction tx, boolean isFinal, Predicate<EventDetails> filter, int limit) {
    return select(tx, new Selection(isFinal, filter, false, limit));
  }

  synchronized List<EventDetails> select(@Nullable Transaction tx, Selection selection) {
    return matching(tx, selection, false).stream().map(row -> row.seenBy(tx).get()).toList();
  }

  /** Like select, then change, passing over what another transaction is writing. */
  synchronized List<EventDetails> change(
      @Nullable Transaction tx,
      boolean isFinal,
      Predicate<EventDetails> filter,
      int limit,
      Function<EventDetails, Optional<EventDetails>> change) {
    return change(tx, new Selection(isFinal, filter, false, limit), change);
  }

  synchronized List<EventDetails> change(
      @Nullable Transaction tx,
      Selection selection,
      Function<EventDetails, Optional<EventDetails>> change) {
    List<EventDetails> changed = new ArrayList<>();
    for (Row row : matching(tx, selection, true)) {
      EventDetails before = row.seenBy(tx).get();
      Optional<EventDetails> after = change.apply(before);
      write(tx, row, after);
      changed.add(after.orElse(before));
    }
    return changed;
  }

  synchronized int count(
      @Nullable Transaction tx, boolean isFinal, Predicate<EventDetails> filter) {
    return select(tx, isFinal, filter, Integer.MAX_VALUE).size();
  }

  /** Those of the range that the transaction sees, and those below that it may see later. */
  synchronized List<Numbered> pending(
      @Nullable Transaction tx, long after, long upTo, Predicate<Numbered> filter, int limit) {
    List<Numbered> found = new ArrayList<>();
    int seen = 0;
    for (Row row : numbered.tailMap(after, false).headMap(upTo, true).values()) {
      Optional<Numbered> pending = numbered(tx, row).filter(filter);
      pending.ifPresent(found::add);
      seen += pending.filter(each -> !each.isOpen()).isPresent() ? 1 : 0;
      if (seen == limit) {
        break;
      }
    }
    return found;
  }

  /** The number of a row that the transaction sees. */
  synchronized long numberOf(@Nullable Transaction tx, String eventId) {
    Row row = rows.get(eventId);
    return row == null || row.seenBy(tx).isEmpty() ? 0 : row.seq;
  }

  /** Waits for others who have locked the same. */
  synchronized void lock(@Nullable Transaction tx, Object key, MemoryLocks.Mode mode) {
    await(() -> tryLock(tx, key, mode), key.toString());
  }

  /** False if another transaction is in the way. */
  synchronized boolean tryLock(@Nullable Transaction tx, Object key, MemoryLocks.Mode mode) {
    boolean isFree = locks.isFree(tx, key, mode);
    if (isFree && tx != null) {
      locks.take(tx, key, mode);
    }
    return isFree;
  }

  /** Runs if the transaction does not commit. */
  synchronized void onRollback(@Nullable Transaction tx, Runnable undo) {
    if (tx != null) {
      tx.changes.add(undo::run);
    }
  }

  synchronized void commit(Transaction tx) {
    end(tx, true);
  }

  synchronized void rollback(Transaction tx) {
    end(tx, false);
  }

  /** Undoes what was changed since; false if the savepoint isn't one of this transaction. */
  synchronized boolean rollback(Transaction tx, MemorySavepoint savepoint) {
    if (!tx.returnTo(savepoint)) {
      return false;
    }
    for (int last = tx.changes.size(); last > savepoint.changes(); last--) {
      tx.changes.remove(last - 1).undo();
    }
    notifyAll();
    return true;
  }

  synchronized void clear() {
    rows.clear();
    unfinished.clear();
    finished.clear();
    numbered.clear();
    notifyAll();
  }

  private static Optional<Numbered> numbered(@Nullable Transaction tx, Row row) {
    Predicate<EventDetails> isPending = details -> !details.status().isFinal();
    return row.seenBy(tx)
        .filter(isPending)
        .map(details -> new Numbered(row.seq, details, false))
        .or(
            () ->
                row.uncommitted
                    .filter(isPending)
                    .map(details -> new Numbered(row.seq, details, true)));
  }

  private List<Row> matching(@Nullable Transaction tx, Selection selection, boolean skipLocked) {
    Predicate<EventDetails> matches =
        details ->
            details.status().isFinal() == selection.isFinal() && selection.filter().test(details);
    NavigableSet<Row> rows = selection.isFinal() ? finished : unfinished;
    return (selection.newestFirst() ? rows.descendingSet() : rows)
        .stream()
            .filter(row -> !(skipLocked && row.isLockedFor(tx)))
            .filter(row -> row.seenBy(tx).filter(matches).isPresent())
            .limit(Math.max(0, selection.limit()))
            .toList();
  }

  private void write(@Nullable Transaction tx, Row row, Optional<EventDetails> version) {
    if (tx == null) {
      row.committed = version;
      index(row);
      return;
    }
    tx.changes.add(new RowChange(row));
    row.writer = tx;
    row.uncommitted = version;
    index(row);
  }

  private void end(Transaction tx, boolean commit) {
    for (int last = tx.changes.size() - 1; last >= 0; last--) {
      tx.changes.get(last).end(commit);
    }
    locks.release(tx);
    tx.clear();
    notifyAll();
  }

  /** A row that is being changed stands where either of its versions belongs. */
  private void index(Row row) {
    boolean isGone = row.writer == null && row.committed.isEmpty();
    if (isGone) {
      rows.remove(row.eventId, row);
    }
    place(row, unfinished, false);
    place(row, finished, true);
    if (unfinished.contains(row)) {
      numbered.put(row.seq, row);
    } else {
      numbered.remove(row.seq);
    }
  }

  private static void place(Row row, Set<Row> index, boolean isFinal) {
    Predicate<EventDetails> belongs = details -> details.status().isFinal() == isFinal;
    if (row.committed.filter(belongs).isPresent() || row.uncommitted.filter(belongs).isPresent()) {
      index.add(row);
    } else {
      index.remove(row);
    }
  }

  private void awaitLock(@Nullable Transaction tx, String eventId) {
    await(() -> !isLockedFor(tx, eventId), "event " + eventId);
  }

  private boolean isLockedFor(@Nullable Transaction tx, String eventId) {
    Row row = rows.get(eventId);
    return row != null && row.isLockedFor(tx);
  }

  private void await(BooleanSupplier isFree, String what) {
    long deadline = System.nanoTime() + LOCK_TIMEOUT_NANOS;
    while (!isFree.getAsBoolean()) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new OutboxException(what + " is locked by another transaction", null);
      }
      pause(left);
    }
  }

  @SuppressWarnings("WaitNotInLoop") // its caller loops
  private void pause(long nanos) {
    try {
      TimeUnit.NANOSECONDS.timedWait(this, nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OutboxException("interrupted while waiting for a lock", e);
    }
  }
}
