package outbox.ordered;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.internal.Transactions;
import outbox.model.EventKey;
import outbox.model.OutboxEvent;
import outbox.spi.NodeSession;
import outbox.spi.OrderedStore;
import outbox.spi.OutboxStore;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.util.Nullable;

/**
 * Writes statuses only for as long as this node is the owner: in the same transaction it holds the
 * session that the event was handed over in, and whoever wants to end that session waits. A dead
 * event blocks its aggregate in that transaction, too.
 */
final class FencedStore implements OutboxStore {

  private final OutboxStore store;
  private final OrderedStore ordered;
  private final Lanes lanes;
  private final OnDead onDead;

  FencedStore(OutboxStore store, Lanes lanes, OnDead onDead) {
    this.store = store;
    this.ordered = store.ordered();
    this.lanes = lanes;
    this.onDead = onDead;
  }

  @Override
  public int settle(Connection connection, List<Settlement> settlements) {
    try {
      return Transactions.inTransaction(connection, tx -> settleAsOwner(tx, settlements));
    } catch (SQLException e) {
      throw new OutboxException("could not write statuses in a transaction", e);
    }
  }

  /** Events of an earlier session of this node are not ours any more. */
  private int settleAsOwner(Connection connection, List<Settlement> settlements) {
    Map<Session, List<Settlement>> bySession = new LinkedHashMap<>();
    for (Settlement settlement : settlements) {
      Turn turn = lanes.turnOf(settlement.eventId());
      if (turn != null) {
        bySession.computeIfAbsent(turn.session(), session -> new ArrayList<>()).add(settlement);
      }
    }
    int changed = 0;
    for (Map.Entry<Session, List<Settlement>> part : bySession.entrySet()) {
      changed += settle(connection, part.getKey(), part.getValue());
    }
    return changed;
  }

  private int settle(Connection connection, Session session, List<Settlement> settlements) {
    if (session.isEnded()) {
      return 0;
    }
    if (!ordered.leases().holds(connection, session.node())) {
      session.end();
      return 0;
    }
    return settle(connection, session.node(), settlements);
  }

  private int settle(Connection connection, NodeSession node, List<Settlement> settlements) {
    int changed = store.settle(connection, settlements);
    if (changed == settlements.size()) {
      settlements.forEach(settlement -> block(connection, node, settlement));
    }
    return changed;
  }

  private void block(Connection connection, NodeSession node, Settlement settlement) {
    Turn turn = lanes.turnOf(settlement.eventId());
    EventKey key = turn == null ? null : turn.lane().key();
    if (settlement.outcome() instanceof Outcome.Dead && onDead == OnDead.BLOCK_KEY && key != null) {
      ordered.block(connection, node.relay(), key, settlement.eventId());
    }
  }

  @Override
  public List<Settlement> held(Connection connection, List<Settlement> settlements) {
    return store.held(connection, settlements.stream().filter(this::isOfLivingSession).toList());
  }

  @Override
  public List<Settlement> locked(Connection connection, List<Settlement> settlements) {
    return store.locked(connection, settlements);
  }

  private boolean isOfLivingSession(Settlement settlement) {
    Turn turn = lanes.turnOf(settlement.eventId());
    return turn != null && !turn.session().isEnded();
  }

  @Override
  public boolean settlesExactly() {
    return store.settlesExactly();
  }

  @Override
  public boolean deletesDelivered() {
    return store.deletesDelivered();
  }

  @Override
  public Clock clock() {
    return store.clock();
  }

  @Override
  public void alignClock(Connection connection) {
    store.alignClock(connection);
  }

  @Override
  public void insertNew(Connection connection, EventEnvelope event) {
    store.insertNew(connection, event);
  }

  @Override
  public int markDone(Connection connection, String eventId) {
    return store.markDone(connection, eventId);
  }

  @Override
  public int markRetry(
      Connection connection, String eventId, Instant nextAt, @Nullable String error) {
    return store.markRetry(connection, eventId, nextAt, error);
  }

  @Override
  public int markDead(Connection connection, String eventId, @Nullable String error) {
    return store.markDead(connection, eventId, error);
  }

  @Override
  public List<OutboxEvent> pollPending(
      Connection connection, Instant now, Duration skipRecent, int limit) {
    return store.pollPending(connection, now, skipRecent, limit);
  }
}
