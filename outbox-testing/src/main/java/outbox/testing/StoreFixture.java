package outbox.testing;

import outbox.spi.ConnectionProvider;
import outbox.spi.EventPurger;
import outbox.spi.OutboxStore;

/**
 * A store to test, with its table and one kind of connection to it (plain or pooled, auto-commit on
 * or off). A contract runs once per fixture:
 *
 * <pre>{@code
 * @ParameterizedClass
 * @MethodSource("outbox.jdbc.Fixtures#postgres")
 * class PostgresOutboxStoreTest extends OutboxStoreContract {
 *   @Parameter StoreFixture fixture;
 *
 *   @Override protected StoreFixture fixture() { return fixture; }
 * }
 * }</pre>
 *
 * @param name what the test report shows
 * @param connections to a database whose table exists
 * @param cleanup empties the table; runs before each test
 */
public record StoreFixture(
    String name,
    OutboxStore store,
    EventPurger purger,
    ConnectionProvider connections,
    Cleanup cleanup) {

  /** Empties the table. */
  @FunctionalInterface
  public interface Cleanup {
    void run() throws Exception;
  }

  /** A new in-memory store and its own connections. */
  public static StoreFixture inMemory() {
    InMemoryOutboxStore store = new InMemoryOutboxStore();
    return new StoreFixture("in memory", store, store.purger(), store.connections(), store::clear);
  }

  @Override
  public String toString() {
    return name;
  }
}
