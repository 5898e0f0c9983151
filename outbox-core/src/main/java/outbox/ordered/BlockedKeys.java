package outbox.ordered;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import outbox.OutboxException;
import outbox.internal.Require;
import outbox.internal.Transactions;
import outbox.model.BlockedKey;
import outbox.model.DiscardReason;
import outbox.spi.ConnectionProvider;
import outbox.spi.KeyAction;
import outbox.spi.NodeSession;
import outbox.spi.OrderedStore;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/**
 * Shows the aggregates whose events wait because the first of them failed, and does what an
 * operator decides about them, from any process. The node that delivers them learns of it within
 * seconds.
 *
 * <p>A decision is about the event as it was shown: if that has changed meanwhile, nothing is done
 * and the answer is false. Safe for all threads.
 */
public final class BlockedKeys {

  /** The most that {@link #list} shows. */
  public static final int MAX_LIMIT = 1000;

  private final ConnectionProvider connections;
  private final OutboxStore store;
  private final String relay;

  /** Of the relay of this name. */
  public BlockedKeys(ConnectionProvider connections, OutboxStore store, String relay) {
    this.connections = Objects.requireNonNull(connections, "connections must not be null");
    this.store = Objects.requireNonNull(store, "store must not be null");
    this.relay = Require.storableName("relay", relay, NodeSession.LONGEST_RELAY);
  }

  /** Those that have waited longest first, each with its failed event, depth and age. */
  public List<BlockedKey> list(int limit) {
    Require.check(limit >= 1 && limit <= MAX_LIMIT, "limit", "between 1 and " + MAX_LIMIT, limit);
    return run(
        "list blocked aggregates",
        ordered -> connection -> ordered.blockedKeys(connection, relay, limit));
  }

  /** The failed event is tried again now; if it was dead, with all its attempts. */
  public boolean retry(BlockedKey seen) {
    return resolve(seen, KeyAction.RETRY, null);
  }

  /** The failed event is buried, if it isn't yet, and those behind it go on. */
  public boolean skip(BlockedKey seen) {
    return resolve(seen, KeyAction.SKIP, null);
  }

  /** Those behind a dead event go on, and it stays as it is; false if it isn't dead. */
  public boolean release(BlockedKey seen) {
    return resolve(seen, KeyAction.RELEASE, null);
  }

  /** The failed event ends DONE without having been delivered, and those behind it go on. */
  public boolean discard(BlockedKey seen, DiscardReason reason) {
    return resolve(seen, KeyAction.DISCARD, Require.given("reason", reason));
  }

  private boolean resolve(BlockedKey seen, KeyAction action, @Nullable DiscardReason reason) {
    return run(
        "decide about " + seen.key(),
        ordered -> connection -> ordered.resolve(connection, seen, action, reason));
  }

  private interface Question<T> {
    Transactions.Work<T> of(OrderedStore ordered);
  }

  private <T> T run(String what, Question<T> question) {
    try {
      return Transactions.onConnection(connections, question.of(store.ordered()));
    } catch (SQLException e) {
      throw new OutboxException("could not " + what, e);
    }
  }
}
