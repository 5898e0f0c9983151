package outbox.testing;

import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import outbox.EventEnvelope;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.DeadBatch;
import outbox.spi.OutboxStore;

/** Passes every call on, for tests that step in between. */
public class DelegatingStore implements OutboxStore {

  private final OutboxStore store;

  public DelegatingStore(OutboxStore store) {
    this.store = store;
  }

  @Override
  public void insertNew(Connection connection, EventEnvelope event) {
    store.insertNew(connection, event);
  }

  @Override
  public void insertBatch(Connection connection, List<EventEnvelope> events) {
    store.insertBatch(connection, events);
  }

  @Override
  public boolean insertClaimed(Connection connection, List<EventEnvelope> events, Claim claim) {
    return store.insertClaimed(connection, events, claim);
  }

  @Override
  public boolean insertIfAbsent(Connection connection, EventEnvelope event, Claim claim) {
    return store.insertIfAbsent(connection, event, claim);
  }

  @Override
  public int markDone(Connection connection, String eventId) {
    return store.markDone(connection, eventId);
  }

  @Override
  public int markRetry(Connection connection, String eventId, Instant nextAt, String error) {
    return store.markRetry(connection, eventId, nextAt, error);
  }

  @Override
  public int markDead(Connection connection, String eventId, String error) {
    return store.markDead(connection, eventId, error);
  }

  @Override
  public List<OutboxEvent> pollPending(
      Connection connection, Instant now, Duration skipRecent, int limit) {
    return store.pollPending(connection, now, skipRecent, limit);
  }

  @Override
  public List<OutboxEvent> claimPending(
      Connection connection,
      String ownerId,
      Instant now,
      Instant lockExpiry,
      Duration skipRecent,
      int limit) {
    return store.claimPending(connection, ownerId, now, lockExpiry, skipRecent, limit);
  }

  @Override
  public int releaseClaims(Connection connection, String ownerId, Collection<String> eventIds) {
    return store.releaseClaims(connection, ownerId, eventIds);
  }

  @Override
  public Clock clock() {
    return store.clock();
  }

  @Override
  public Optional<EventDetails> find(Connection connection, String eventId) {
    return store.find(connection, eventId);
  }

  @Override
  public List<OutboxEvent> queryDead(
      Connection connection, String eventType, String aggregateType, int limit) {
    return store.queryDead(connection, eventType, aggregateType, limit);
  }

  @Override
  public int replayDead(Connection connection, String eventId) {
    return store.replayDead(connection, eventId);
  }

  @Override
  public int countDead(Connection connection, String eventType) {
    return store.countDead(connection, eventType);
  }

  @Override
  public List<EventDetails> queryDead(Connection connection, DeadQuery query) {
    return store.queryDead(connection, query);
  }

  @Override
  public int countDead(Connection connection, DeadFilter filter, int atMost) {
    return store.countDead(connection, filter, atMost);
  }

  @Override
  public DeadBatch replayDead(Connection connection, DeadQuery query) {
    return store.replayDead(connection, query);
  }

  @Override
  public DeadBatch discardDead(Connection connection, DeadQuery query, DiscardReason reason) {
    return store.discardDead(connection, query, reason);
  }
}
