package outbox.dispatch;

import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import outbox.spi.OutboxStore;

/** How a delivery ended, and what the row has to say about it. */
sealed interface Outcome {

  /** Returns the number of rows changed; 0 means that someone else has ended the event. */
  int write(OutboxStore store, Connection connection, String eventId);

  record Delivered() implements Outcome {

    @Override
    public int write(OutboxStore store, Connection connection, String eventId) {
      return store.markDone(connection, eventId);
    }
  }

  record Retry(Instant nextAt, String error) implements Outcome {

    @Override
    public int write(OutboxStore store, Connection connection, String eventId) {
      return store.markRetry(connection, eventId, nextAt, error);
    }
  }

  record Dead(String error) implements Outcome {

    @Override
    public int write(OutboxStore store, Connection connection, String eventId) {
      return store.markDead(connection, eventId, error);
    }
  }

  /** Not tried, or interrupted at close: the row goes back as it was, and no attempt is counted. */
  record Released(String ownerId) implements Outcome {

    @Override
    public int write(OutboxStore store, Connection connection, String eventId) {
      try {
        return store.releaseClaims(connection, ownerId, List.of(eventId));
      } catch (UnsupportedOperationException e) {
        return 1; // such a store leaves it to the lock's expiry
      }
    }
  }
}
