package outbox.dead;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;
import outbox.spi.OutboxStore;

/** Implements what it must and no more. */
final class PlainStore implements OutboxStore {

  @Override
  public void insertNew(Connection connection, EventEnvelope event) {}

  @Override
  public int markDone(Connection connection, String eventId) {
    return 0;
  }

  @Override
  public int markRetry(Connection connection, String eventId, Instant nextAt, String error) {
    return 0;
  }

  @Override
  public int markDead(Connection connection, String eventId, String error) {
    return 0;
  }

  @Override
  public List<OutboxEvent> pollPending(
      Connection connection, Instant now, Duration skipRecent, int limit) {
    return List.of();
  }
}
