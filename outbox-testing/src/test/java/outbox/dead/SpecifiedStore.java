package outbox.dead;

import java.sql.Connection;
import outbox.model.DeadFilter;
import outbox.spi.OutboxStore;
import outbox.testing.DelegatingStore;

/** Knows of dead events what the specification asks for, and no more. */
class SpecifiedStore extends DelegatingStore {

  SpecifiedStore(OutboxStore store) {
    super(store);
  }

  @Override
  public int countDead(Connection connection, DeadFilter filter, int atMost) {
    throw new UnsupportedOperationException("countDead with a filter");
  }
}
