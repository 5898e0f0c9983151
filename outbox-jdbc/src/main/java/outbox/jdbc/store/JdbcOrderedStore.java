package outbox.jdbc.store;

import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.model.BlockedKey;
import outbox.model.DiscardReason;
import outbox.model.EventKey;
import outbox.spi.KeyAction;
import outbox.spi.LeaseTable;
import outbox.spi.OrderedPage;
import outbox.spi.OrderedScan;
import outbox.spi.OrderedStore;

/** Delivery in order on the tables of a database. */
final class JdbcOrderedStore implements OrderedStore {

  private final OrderedTables tables;

  JdbcOrderedStore(EventTable events, OrderedDialect dialect) {
    tables = new OrderedTables(events, dialect);
  }

  @Override
  public void check(Connection connection) {
    new OrderedCheck(tables).check(connection);
  }

  @Override
  public LeaseTable leases() {
    return new LeaseStatements(tables);
  }

  @Override
  public OrderedPage read(Connection connection, OrderedScan scan) {
    return new OrderedReads(tables).read(connection, scan);
  }

  @Override
  public void reveal(Connection connection) {
    new OrderedReads(tables).reveal(connection);
  }

  @Override
  public long beginning(Connection connection) {
    return new OrderedReads(tables).beginning(connection);
  }

  @Override
  public List<Head> heads(Connection connection, String relay, Collection<String> eventIds) {
    return new BlockStatements(tables).heads(connection, relay, eventIds);
  }

  @Override
  public void block(Connection connection, String relay, EventKey key, String eventId) {
    new BlockStatements(tables).block(connection, relay, key, eventId);
  }

  @Override
  public boolean unblock(Connection connection, String relay, String eventId) {
    return new BlockStatements(tables).unblock(connection, relay, eventId);
  }

  @Override
  public List<Block> blocks(Connection connection, String relay) {
    return new BlockStatements(tables).blocks(connection, relay);
  }

  @Override
  public Optional<String> clearLeftovers(
      Connection connection, String relay, String after, int limit) {
    return new BlockLeftovers(tables).clear(connection, relay, after, limit);
  }

  @Override
  public List<BlockedKey> blockedKeys(Connection connection, String relay, int limit) {
    return new BlockedKeys(tables).list(connection, relay, limit);
  }

  @Override
  public boolean resolve(
      Connection connection, BlockedKey seen, KeyAction action, @Nullable DiscardReason reason) {
    return new KeyChanges(tables).resolve(connection, seen, action, reason);
  }

  @Override
  public void lockKey(Connection connection, EventKey key) {
    new KeyLocks(tables).lock(connection, key);
  }
}
