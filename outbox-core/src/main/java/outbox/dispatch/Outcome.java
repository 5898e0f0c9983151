package outbox.dispatch;

import java.sql.Connection;
import java.time.Instant;
import outbox.spi.OutboxStore;

/** How a delivery ended, and what the row has to say about it. */
sealed interface Outcome {

  /** Not tried, or interrupted at close: the row goes back as it was, and no attempt is counted. */
  record Released(String ownerId) implements Outcome {}

  /** A try was made, and the row gets a status. */
  sealed interface Tried extends Outcome {

    /** Returns the number of rows changed; 0 means that someone else has ended the event. */
    int write(OutboxStore store, Connection connection, String eventId);
  }

  record Delivered() implements Tried {

    @Override
    public int write(OutboxStore store, Connection connection, String eventId) {
      return store.markDone(connection, eventId);
    }
  }

  record Retry(Instant nextAt, String error) implements Tried {

    @Override
    public int write(OutboxStore store, Connection connection, String eventId) {
      return store.markRetry(connection, eventId, nextAt, error);
    }
  }

  record Dead(String error) implements Tried {

    @Override
    public int write(OutboxStore store, Connection connection, String eventId) {
      return store.markDead(connection, eventId, error);
    }
  }
}
