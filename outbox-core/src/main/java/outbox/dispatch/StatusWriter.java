package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import outbox.internal.SafeLogger;
import outbox.internal.SqlErrors;
import outbox.internal.Transactions;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;
import outbox.spi.Settlement;
import outbox.util.Nullable;

/**
 * Writes the outcomes of a group in one transaction. A group in which rows are not ours any more is
 * written without them, and so is one in which somebody keeps rows locked. One that fails is halved
 * until the row at fault stands alone, so that it can't concern the others; only a database that
 * can't write now fails a group as a whole.
 */
final class StatusWriter {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  /** For so long after a lock was seen, others are expected. */
  private static final long WARY = Duration.ofSeconds(10).toNanos();

  private final ConnectionProvider connectionProvider;
  private final OutboxStore store;
  private final DispatchReport report;
  private volatile @Nullable Long lockSeenNanos;

  /** Rolls a group back of which not every row was changed. */
  private static final class NotAllChanged extends RuntimeException {

    private static final long serialVersionUID = 1;

    NotAllChanged() {
      super("not every row of the group was changed", null, false, false);
    }
  }

  StatusWriter(ConnectionProvider connectionProvider, OutboxStore store, DispatchReport report) {
    this.connectionProvider = connectionProvider;
    this.store = store;
    this.report = report;
  }

  /** Settles what could be written and hands over the rest with its reason. */
  void write(List<Completion> group, BiConsumer<Completion, Throwable> unwritten) {
    List<Completion> free = isWary() ? withoutLocked(group, unwritten) : group;
    if (!free.isEmpty()) {
      writeFree(free, unwritten);
    }
  }

  /** Whether somebody kept rows of ours locked a moment ago. */
  boolean isWary() {
    Long seen = lockSeenNanos;
    return seen != null && System.nanoTime() - seen < WARY;
  }

  private void writeFree(List<Completion> group, BiConsumer<Completion, Throwable> unwritten) {
    int changedRows;
    try {
      changedRows = writeAll(group);
    } catch (NotAllChanged e) {
      writeHeld(group, unwritten);
      return;
    } catch (Throwable e) {
      writeWithoutCause(group, e, unwritten);
      return;
    }
    if (changedRows > 0) {
      report.wrote(group);
      group.forEach(completion -> settled(completion, true));
    } else if (group.stream().allMatch(completion -> completion.underRenewals().isEmpty())) {
      group.forEach(completion -> settled(completion, false));
    } else {
      writeHeld(group, unwritten);
    }
  }

  /** A lock holds up its row alone; whoever has it may keep it for long. */
  private void writeWithoutCause(
      List<Completion> group, Throwable cause, BiConsumer<Completion, Throwable> unwritten) {
    if (!SqlErrors.isLockTimeout(cause)) {
      writeHalves(group, cause, unwritten);
      return;
    }
    lockSeenNanos = System.nanoTime();
    List<Completion> free = withoutLocked(group, unwritten);
    if (free.size() == group.size()) {
      free.forEach(completion -> unwritten.accept(completion, cause));
    } else if (!free.isEmpty()) {
      writeFree(free, unwritten);
    }
  }

  /** Hands over those that somebody has locked, and returns the others. */
  private List<Completion> withoutLocked(
      List<Completion> group, BiConsumer<Completion, Throwable> unwritten) {
    Set<Settlement> locked = locked(group);
    if (locked.isEmpty()) {
      return group;
    }
    lockSeenNanos = System.nanoTime();
    List<Completion> free = new ArrayList<>();
    for (Completion completion : group) {
      if (locked.contains(completion.settlement())) {
        unwritten.accept(completion, SqlErrors.lockedRow());
      } else {
        free.add(completion);
      }
    }
    return free;
  }

  /** Where nobody can tell, writing will. */
  private Set<Settlement> locked(List<Completion> group) {
    List<Settlement> settlements = group.stream().map(Completion::settlement).toList();
    try {
      return new HashSet<>(
          Transactions.onConnection(
              connectionProvider, connection -> store.locked(connection, settlements)));
    } catch (Throwable e) {
      LOG.log(Level.DEBUG, "which rows are locked could not be asked", e);
      return Set.of();
    }
  }

  /**
   * Writes those that are still ours, perhaps by a renewal whose answer was lost. The store is
   * asked for all at once: a node that was cut off for longer than its claims last has lost
   * thousands, and what it claims next must not run out while it finds that out one by one.
   */
  private void writeHeld(List<Completion> group, BiConsumer<Completion, Throwable> unwritten) {
    Set<Settlement> held;
    try {
      held = held(group);
    } catch (Throwable e) {
      writeHalves(group, e, unwritten);
      return;
    }
    List<Completion> ours = new ArrayList<>();
    for (Completion completion : group) {
      Completion known = asHeld(completion, held);
      if (known == null) {
        settled(completion, false);
      } else {
        ours.add(known);
      }
    }
    if (ours.equals(group)) {
      writeAsIfHeld(group, unwritten);
    } else if (!ours.isEmpty()) {
      writeFree(ours, unwritten);
    }
  }

  private Set<Settlement> held(List<Completion> group) throws SQLException {
    List<Settlement> possible =
        group.stream().flatMap(StatusWriter::possible).map(Completion::settlement).toList();
    return new HashSet<>(
        Transactions.onConnection(
            connectionProvider, connection -> store.held(connection, possible)));
  }

  /** Under the claim that the row has; null if it is not ours any more. */
  private static @Nullable Completion asHeld(Completion completion, Set<Settlement> held) {
    return possible(completion)
        .filter(candidate -> held.contains(candidate.settlement()))
        .findFirst()
        .orElse(null);
  }

  private static Stream<Completion> possible(Completion completion) {
    return Stream.concat(Stream.of(completion), completion.underRenewals().stream());
  }

  /** The store doesn't know better, so that what was not changed must be found by trying. */
  private void writeAsIfHeld(List<Completion> group, BiConsumer<Completion, Throwable> unwritten) {
    if (group.size() > 1) {
      writeHalves(group, unwritten);
      return;
    }
    Completion completion = group.get(0);
    try {
      writeUnderRenewals(completion);
    } catch (Throwable e) {
      unwritten.accept(completion, e);
    }
  }

  private void writeUnderRenewals(Completion completion) throws SQLException {
    for (Completion renewed : completion.underRenewals()) {
      if (writeAll(List.of(renewed)) > 0) {
        settled(renewed, true);
        return;
      }
    }
    settled(completion, false);
  }

  /** What trackers, logs and clocks throw concerns none of the others. */
  private void settled(Completion completion, boolean isOurs) {
    try {
      completion.written(isOurs);
      report.written(completion, isOurs);
    } catch (Throwable e) {
      LOG.log(Level.ERROR, () -> "status is written but not reported: " + completion, e);
    }
  }

  private void writeHalves(
      List<Completion> group, Throwable cause, BiConsumer<Completion, Throwable> unwritten) {
    if (group.size() == 1 || SqlErrors.isPassing(cause)) {
      group.forEach(completion -> unwritten.accept(completion, cause));
    } else {
      writeHalves(group, unwritten);
    }
  }

  private void writeHalves(List<Completion> group, BiConsumer<Completion, Throwable> unwritten) {
    int middle = group.size() / 2;
    writeFree(group.subList(0, middle), unwritten);
    writeFree(group.subList(middle, group.size()), unwritten);
  }

  private int writeAll(List<Completion> group) throws SQLException {
    return group.size() == 1
        ? Transactions.onConnection(connectionProvider, connection -> settle(connection, group))
        : Transactions.inTransaction(
            connectionProvider, connection -> settleAllOrNone(connection, group));
  }

  /** Without a connection nothing could be rolled back, and so a group is not even tried. */
  private int settleAllOrNone(Connection connection, List<Completion> group) {
    int changedRows = connection == null ? 1 : settle(connection, group);
    if (changedRows > 0 && changedRows < group.size()) {
      throw new NotAllChanged();
    }
    return changedRows;
  }

  private int settle(Connection connection, List<Completion> group) {
    return store.settle(connection, group.stream().map(Completion::settlement).toList());
  }
}
