package outbox.dispatch;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import outbox.internal.SqlErrors;
import outbox.internal.Transactions;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;

/**
 * Writes the outcomes of a group in one transaction. A group that fails is halved until the bad row
 * stands alone, so that it can't fail the others; only a lost database fails a group as a whole.
 */
final class StatusWriter {

  private final ConnectionProvider connectionProvider;
  private final OutboxStore store;
  private final DispatchReport report;

  StatusWriter(ConnectionProvider connectionProvider, OutboxStore store, DispatchReport report) {
    this.connectionProvider = connectionProvider;
    this.store = store;
    this.report = report;
  }

  /** Ends what could be written and hands over the rest with its reason. */
  void write(List<Completion> group, BiConsumer<Completion, Throwable> unwritten) {
    int[] changedRows;
    try {
      changedRows = writeAll(group);
    } catch (Throwable e) {
      writeHalves(group, e, unwritten);
      return;
    }
    if (changedRows.length < group.size()) {
      group.forEach(completion -> write(List.of(completion), unwritten));
      return;
    }
    for (int i = 0; i < changedRows.length; i++) {
      Completion completion = group.get(i);
      completion.delivery().hold().tried();
      report.written(completion, changedRows[i]);
    }
  }

  private void writeHalves(
      List<Completion> group, Throwable cause, BiConsumer<Completion, Throwable> unwritten) {
    if (group.size() == 1 || SqlErrors.isConnectionFailure(cause)) {
      new ArrayList<>(group).forEach(completion -> unwritten.accept(completion, cause));
      return;
    }
    int middle = group.size() / 2;
    write(group.subList(0, middle), unwritten);
    write(group.subList(middle, group.size()), unwritten);
  }

  /** Empty if nothing was written, because without a connection a group can't be rolled back. */
  private int[] writeAll(List<Completion> group) throws SQLException {
    Transactions.Work<int[]> work =
        connection ->
            connection == null && group.size() > 1
                ? new int[0]
                : group.stream()
                    .mapToInt(c -> c.outcome().write(store, connection, c.delivery().eventId()))
                    .toArray();
    return group.size() == 1
        ? Transactions.onConnection(connectionProvider, work)
        : Transactions.inTransaction(connectionProvider, work);
  }
}
