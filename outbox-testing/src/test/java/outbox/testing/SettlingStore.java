package outbox.testing;

import java.sql.Connection;
import java.util.List;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.OutboxStore;
import outbox.spi.Settlement;

/** Passes on, too, what stores do for claims of their own accord. */
public class SettlingStore extends DelegatingStore {

  private final OutboxStore store;

  public SettlingStore(OutboxStore store) {
    super(store);
    this.store = store;
  }

  @Override
  public boolean settlesExactly() {
    return store.settlesExactly();
  }

  @Override
  public List<Fetched> fetch(Connection connection, Fetch fetch) {
    return store.fetch(connection, fetch);
  }

  @Override
  public int settle(Connection connection, List<Settlement> settlements) {
    return store.settle(connection, settlements);
  }

  @Override
  public List<Settlement> locked(Connection connection, List<Settlement> settlements) {
    return store.locked(connection, settlements);
  }
}
