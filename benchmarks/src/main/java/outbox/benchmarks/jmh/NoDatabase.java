package outbox.benchmarks.jmh;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/** A store that keeps nothing and counts what was completed, to measure the engine alone. */
final class NoDatabase implements OutboxStore {

  private final LongAdder completed = new LongAdder();

  /** The engine passes on what it is given, and this store needs nothing. */
  @SuppressWarnings("NullAway")
  static ConnectionProvider noConnections() {
    return () -> null;
  }

  long completed() {
    return completed.sum();
  }

  @Override
  public void insertNew(Connection connection, EventEnvelope event) {}

  @Override
  public int markDone(Connection connection, String eventId) {
    completed.increment();
    return 1;
  }

  @Override
  public int markRetry(
      Connection connection, String eventId, Instant nextAt, @Nullable String error) {
    throw new AssertionError(error);
  }

  @Override
  public int markDead(Connection connection, String eventId, @Nullable String error) {
    throw new AssertionError(error);
  }

  @Override
  public List<OutboxEvent> pollPending(
      Connection connection, Instant now, Duration skipRecent, int limit) {
    return List.of();
  }
}
