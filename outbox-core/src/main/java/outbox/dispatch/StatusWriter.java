package outbox.dispatch;

import static java.util.stream.Collectors.toSet;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import outbox.internal.SafeLogger;
import outbox.internal.SqlErrors;
import outbox.internal.Transactions;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;
import outbox.spi.Settlement;

/**
 * Writes the outcomes of a group in one transaction. A group in which rows are not ours any more is
 * written without them. One that fails is halved until the row at fault stands alone, so that it
 * can't concern the others; only a database that can't write now fails a group as a whole.
 */
final class StatusWriter {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  private final ConnectionProvider connectionProvider;
  private final OutboxStore store;
  private final DispatchReport report;

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
    int changedRows;
    try {
      changedRows = writeAll(group);
    } catch (NotAllChanged e) {
      writeHeld(group, unwritten);
      return;
    } catch (Throwable e) {
      writeHalves(group, e, unwritten);
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

  /**
   * Writes those that are still ours, perhaps by a renewal whose answer was lost. The store is
   * asked for all at once: a node that was cut off for longer than its claims last has lost
   * thousands, and what it claims next must not run out while it finds that out one by one.
   */
  private void writeHeld(List<Completion> group, BiConsumer<Completion, Throwable> unwritten) {
    List<Completion> held;
    try {
      held = held(group);
    } catch (Throwable e) {
      writeHalves(group, e, unwritten);
      return;
    }
    if (held.equals(group)) {
      writeAsIfHeld(group, unwritten);
      return;
    }
    Set<String> ours = held.stream().map(StatusWriter::eventId).collect(toSet());
    group.stream()
        .filter(completion -> !ours.contains(eventId(completion)))
        .forEach(completion -> settled(completion, false));
    if (!held.isEmpty()) {
      write(held, unwritten);
    }
  }

  private List<Completion> held(List<Completion> group) throws SQLException {
    Map<Settlement, Completion> possible = new LinkedHashMap<>();
    for (Completion completion : group) {
      possible.put(completion.settlement(), completion);
      completion.underRenewals().forEach(renewed -> possible.put(renewed.settlement(), renewed));
    }
    List<Settlement> held =
        Transactions.onConnection(
            connectionProvider,
            connection -> store.held(connection, List.copyOf(possible.keySet())));
    Map<String, Completion> ours = new LinkedHashMap<>();
    held.forEach(settlement -> ours.putIfAbsent(settlement.eventId(), possible.get(settlement)));
    return List.copyOf(ours.values());
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

  private static String eventId(Completion completion) {
    return completion.delivery().eventId();
  }

  private void settled(Completion completion, boolean isOurs) {
    completion.written(isOurs);
    report(completion, isOurs);
  }

  /** What logs and clocks throw concerns none of the others. */
  private void report(Completion completion, boolean isOurs) {
    try {
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
    write(group.subList(0, middle), unwritten);
    write(group.subList(middle, group.size()), unwritten);
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
