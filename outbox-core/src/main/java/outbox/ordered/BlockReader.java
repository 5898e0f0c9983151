package outbox.ordered;

import java.lang.System.Logger;
import java.sql.SQLException;
import java.util.List;
import outbox.internal.RateLimitedLog;
import outbox.internal.SafeLogger;
import outbox.internal.Transactions;
import outbox.spi.OrderedStore;

/**
 * Reads which aggregates wait for an operator: always all of them, because whatever is missing goes
 * on. That is done before a partition is taken, and when it is not known what became of an event;
 * else it waits its turn while it is expensive. Of those that wait no more it deletes what is left,
 * a few at a time.
 *
 * <p>Used by one thread at a time.
 */
final class BlockReader {

  private static final Logger LOG = SafeLogger.of(OrderedRelay.class);

  /** How many rows are looked at in search of leftovers. */
  private static final int STEP = 500;

  private final OrderedSettings settings;
  private final OrderedStore store;
  private final Lanes lanes;
  private final LookPace pace = new LookPace(System::nanoTime);
  private final RateLimitedLog failures = new RateLimitedLog(LOG);
  private String clearedUpTo = "";

  BlockReader(OrderedSettings settings, Lanes lanes) {
    this.settings = settings;
    this.store = settings.store().ordered();
    this.lanes = lanes;
  }

  /** Decisions of operators are learnt by this. */
  void readIfDue() throws SQLException {
    if (lanes.mayLackBlocks() || pace.isDue()) {
      read();
    }
  }

  void read() throws SQLException {
    if (blocksNothing()) {
      return;
    }
    long start = System.nanoTime();
    List<OrderedStore.Block> blocks =
        Transactions.onConnection(
            settings.connections(), connection -> store.blocks(connection, settings.relay()));
    pace.looked(start);
    lanes.blocked(blocks, start);
  }

  /** One step; leftovers count for nothing, and so nothing is lost if that fails. */
  void clearLeftovers() {
    if (blocksNothing()) {
      return;
    }
    String after = clearedUpTo;
    try {
      clearedUpTo =
          Transactions.onConnection(
                  settings.connections(),
                  connection -> store.clearLeftovers(connection, settings.relay(), after, STEP))
              .orElse("");
    } catch (SQLException | RuntimeException e) {
      failures.warn(
          1,
          count ->
              "what is left of blocked keys could not be deleted, which is tried again; it blocks nothing: count=%d cause=%s"
                  .formatted(count, e));
    }
  }

  private boolean blocksNothing() {
    return settings.lanes().onDead() == OnDead.SKIP;
  }
}
