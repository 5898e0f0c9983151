package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private static final Logger LOG = System.getLogger(StatusWriter.class.getName());

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

  private int[] writeAll(List<Completion> group) throws SQLException {
    Transactions.Work<int[]> work = connection -> writeAll(connection, group);
    return group.size() == 1
        ? Transactions.onConnection(connectionProvider, work)
        : Transactions.inTransaction(connectionProvider, work);
  }

  /** Empty if nothing was written, because without a connection a group can't be rolled back. */
  private int[] writeAll(Connection connection, List<Completion> group) {
    if (connection == null && group.size() > 1) {
      return new int[0];
    }
    int[] changedRows = new int[group.size()];
    Map<String, List<String>> released = new LinkedHashMap<>();
    for (int i = 0; i < changedRows.length; i++) {
      String eventId = group.get(i).delivery().eventId();
      Outcome outcome = group.get(i).outcome();
      if (outcome instanceof Outcome.Tried tried) {
        changedRows[i] = tried.write(store, connection, eventId);
      } else if (outcome instanceof Outcome.Released release) {
        released.computeIfAbsent(release.ownerId(), owner -> new ArrayList<>()).add(eventId);
        changedRows[i] = 1;
      }
    }
    released.forEach((ownerId, eventIds) -> release(connection, ownerId, eventIds));
    return changedRows;
  }

  private void release(Connection connection, String ownerId, List<String> eventIds) {
    try {
      store.releaseClaims(connection, ownerId, eventIds);
    } catch (UnsupportedOperationException e) {
      LOG.log(Level.DEBUG, "claims that can't be released stay until they expire", e);
    }
  }
}
