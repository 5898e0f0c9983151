package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.BiConsumer;
import outbox.internal.SafeLogger;
import outbox.internal.SqlErrors;
import outbox.internal.Transactions;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;

/**
 * Writes the outcomes of a group in one transaction. A group that fails, or in which a row is not
 * ours any more, is halved until that row stands alone, so that it can't concern the others; only a
 * database that can't write now fails a group as a whole.
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
    } catch (Throwable e) {
      writeHalves(group, e, unwritten);
      return;
    }
    if (changedRows > 0) {
      group.forEach(completion -> settled(completion, true));
    } else {
      writeUnderRenewals(group, unwritten);
    }
  }

  /**
   * The rows are not ours any more, unless they have renewals whose answers were lost. A database
   * that can't write now isn't asked again for each of them.
   */
  private void writeUnderRenewals(
      List<Completion> group, BiConsumer<Completion, Throwable> unwritten) {
    Throwable away = null;
    for (Completion completion : group) {
      if (away != null) {
        unwritten.accept(completion, away);
        continue;
      }
      try {
        writeUnderRenewals(completion);
      } catch (Throwable e) {
        unwritten.accept(completion, e);
        away = SqlErrors.isPassing(e) ? e : null;
      }
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
      return;
    }
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
