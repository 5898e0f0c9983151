package outbox.spi;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.util.List;
import outbox.internal.SafeLogger;

/** Settles with the specified marks alone, which count every try. */
final class Marks {

  private static final Logger LOG = SafeLogger.of(Marks.class);

  private Marks() {}

  static int settle(OutboxStore store, Connection connection, Settlement settlement) {
    String eventId = settlement.eventId();
    Outcome outcome = settlement.outcome();
    if (outcome instanceof Outcome.Delivered delivered && !delivered.deleted()) {
      return store.markDone(connection, eventId);
    }
    if (outcome instanceof Outcome.Retry retry) {
      return store.markRetry(connection, eventId, retry.nextAt(), retry.error());
    }
    if (outcome instanceof Outcome.Dead dead) {
      return store.markDead(connection, eventId, dead.error());
    }
    if (outcome instanceof Outcome.Released) {
      return release(store, connection, settlement);
    }
    throw new UnsupportedOperationException(
        "%s does not implement settle, without which no event can be %s; override it in the store"
            .formatted(store.getClass().getName(), outcome.getClass().getSimpleName()));
  }

  private static int release(OutboxStore store, Connection connection, Settlement settlement) {
    Claim claim = settlement.claim();
    try {
      return claim == null
          ? 1
          : store.releaseClaims(connection, claim.ownerId(), List.of(settlement.eventId()));
    } catch (UnsupportedOperationException e) {
      LOG.log(Level.DEBUG, "claims that can't be released stay until they expire", e);
      return 1;
    }
  }
}
