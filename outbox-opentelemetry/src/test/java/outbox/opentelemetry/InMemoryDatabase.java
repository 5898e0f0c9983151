package outbox.opentelemetry;

import outbox.spi.ConnectionProvider;
import outbox.spi.EventPurger;
import outbox.spi.OutboxDatabase;
import outbox.spi.TxContext;
import outbox.testing.InMemoryOutboxStore;

/** Keeps events in memory. */
record InMemoryDatabase(InMemoryOutboxStore store, TxContext transactions)
    implements OutboxDatabase {

  @Override
  public ConnectionProvider connections() {
    return store.connections();
  }

  @Override
  public EventPurger purger() {
    return (connection, before, limit) -> 0;
  }
}
