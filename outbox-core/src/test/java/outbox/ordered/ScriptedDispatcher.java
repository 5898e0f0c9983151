package outbox.ordered;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import outbox.EventEnvelope;
import outbox.dispatch.InFlightTracker;
import outbox.dispatch.OutboxDispatcher;
import outbox.model.OutboxEvent;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/** A dispatcher that delivers nothing; a script says which events it takes over. */
final class ScriptedDispatcher implements InFlightTracker {

  private final OutboxDispatcher dispatcher =
      OutboxDispatcher.builder()
          .connectionProvider(
              () -> {
                throw new SQLException("there is no database");
              })
          .outboxStore(new NoStore())
          .listenerRegistry((aggregateType, eventType) -> null)
          .inFlightTracker(this)
          .workerCount(0)
          .coldQueueCapacity(Integer.MAX_VALUE)
          .queueBytes(Long.MAX_VALUE)
          .clock(Clock.systemUTC())
          .build();

  private Predicate<String> script = eventId -> true;

  OutboxDispatcher dispatcher() {
    return dispatcher;
  }

  void becomes(Predicate<String> next) {
    script = next;
  }

  /** Whoever holds an event already is known to the script. */
  @Override
  public @Nullable Hold acquire(String eventId) {
    return script.test(eventId) ? () -> {} : null;
  }

  @Override
  public boolean tryAcquire(String eventId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void release(String eventId) {
    throw new UnsupportedOperationException();
  }

  private static final class NoStore implements OutboxStore {

    @Override
    public void insertNew(Connection connection, EventEnvelope event) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int markDone(Connection connection, String eventId) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int markRetry(
        Connection connection, String eventId, Instant nextAt, @Nullable String error) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int markDead(Connection connection, String eventId, @Nullable String error) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<OutboxEvent> pollPending(
        Connection connection, Instant now, Duration skipRecent, int limit) {
      throw new UnsupportedOperationException();
    }
  }
}
