package outbox.spi;

import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import outbox.EventEnvelope;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;
import outbox.util.Nullable;

/**
 * Keeps events: the life of an event from its insert to its end, one method per step.
 *
 * <p>Every method works on the caller's connection, takes part in its transaction if it has one,
 * and never closes it. A failing database is reported by an unchecked exception. DONE and DEAD are
 * final: a mark on either changes nothing and returns 0.
 */
public interface OutboxStore {

  void insertNew(Connection connection, EventEnvelope event);

  /** Inserts all events or fails; the default inserts one by one. */
  default void insertBatch(Connection connection, List<EventEnvelope> events) {
    events.forEach(event -> insertNew(connection, event));
  }

  /**
   * Inserts all events already claimed, as if {@link #claimPending} had returned them. A store that
   * can't inserts nothing and answers false, as the default does.
   */
  default boolean insertClaimed(Connection connection, List<EventEnvelope> events, Claim claim) {
    return false;
  }

  /**
   * Inserts the event, with the claim if one is given, unless its id is taken; says whether it did.
   * Either way the transaction goes on. While another transaction is about to take the id, this
   * waits for its end.
   */
  default boolean insertIfAbsent(
      Connection connection, EventEnvelope event, @Nullable Claim claim) {
    throw unsupported("insertIfAbsent");
  }

  /** The event was delivered. Returns the number of rows changed: 0 or 1. */
  int markDone(Connection connection, String eventId);

  /** A try failed: one attempt more, and not before {@code nextAt}. */
  int markRetry(Connection connection, String eventId, Instant nextAt, @Nullable String error);

  /** The last try failed: one attempt more, and no further one. */
  int markDead(Connection connection, String eventId, @Nullable String error);

  /**
   * The oldest pending events that are due and were created at least {@code skipRecent} before
   * {@code now}, oldest first; locked ones included.
   */
  List<OutboxEvent> pollPending(Connection connection, Instant now, Duration skipRecent, int limit);

  /**
   * Locks pending events for {@code ownerId} and returns just those, oldest first. Rows locked at
   * or after {@code lockExpiry} are passed over, the owner's own included. The default locks
   * nothing and answers like {@link #pollPending}: enough for a single node only, and for none
   * where {@link #settle} asks for the lock.
   */
  default List<OutboxEvent> claimPending(
      Connection connection,
      String ownerId,
      Instant now,
      Instant lockExpiry,
      Duration skipRecent,
      int limit) {
    if (settlesExactly()) {
      throw unsupported("claimPending");
    }
    return pollPending(connection, now, skipRecent, limit);
  }

  /**
   * Fetches pending events, claimed or not as asked. The default does it by {@link #pollPending}
   * and {@link #claimPending}, which know no filter and no bytes.
   */
  default List<Fetched> fetch(Connection connection, Fetch fetch) {
    if (!fetch.filter().equals(EventFilter.ALL)) {
      throw unsupported("fetch with a filter");
    }
    Claim claim = fetch.claim();
    List<OutboxEvent> events =
        claim == null
            ? pollPending(connection, fetch.now(), fetch.skipRecent(), fetch.limit())
            : claimPending(
                connection,
                claim.ownerId(),
                claim.lockedAt(),
                claim.lockExpiry(),
                fetch.skipRecent(),
                fetch.limit());
    return events.stream().map(event -> new Fetched(event, event.createdAt(), false)).toList();
  }

  /** Whether {@link #fetch} knows filters. A store that overrides it says so here, too. */
  default boolean fetchesFiltered() {
    return false;
  }

  /**
   * When events fall due that {@code later} asks for and that are not due by its {@code now}, but
   * {@code until} then: the earliest of them, at most {@code limit}, in that order. A hint, so that
   * nobody has to poll for them: a store that can't tell answers with none, as the default does.
   */
  default List<Instant> dueTimes(Connection connection, Fetch later, Instant until) {
    return List.of();
  }

  /**
   * Writes what became of events and returns the number of rows changed. A settlement under a claim
   * changes its row only if that claim still holds, so that a node that lost it changes nothing; in
   * any case final states stay.
   *
   * <p>The default has only the marks, which know nothing of claims: it changes the row of whoever
   * has the event now. What marks can't say, that a try doesn't count, has begun, or that a claim
   * is renewed, it refuses.
   */
  default int settle(Connection connection, List<Settlement> settlements) {
    int changed = 0;
    for (Settlement settlement : settlements) {
      changed += Marks.settle(this, connection, settlement);
    }
    return changed;
  }

  /**
   * Those of the settlements that {@link #settle} would write now, in the same order. It is asked
   * after {@code settle} changed fewer rows than it was to, because some of them are not ours any
   * more. A store that can't tell answers with all, as the default does: then they are written in
   * ever smaller groups until those that were lost stand alone.
   */
  default List<Settlement> held(Connection connection, List<Settlement> settlements) {
    return settlements;
  }

  /**
   * Those of the settlements whose rows somebody else has locked right now, so that {@link #settle}
   * would wait for them, in the same order. Waits for none of them itself. It is asked after {@code
   * settle} waited for a lock in vain. A store that can't tell answers with none, as the default
   * does: then they are written in ever smaller groups.
   */
  default List<Settlement> locked(Connection connection, List<Settlement> settlements) {
    return List.of();
  }

  /**
   * Whether {@link #settle} does all it says. A store that overrides it says so here, too: then
   * claims are worth something, and tries that don't count can be had.
   */
  default boolean settlesExactly() {
    return false;
  }

  /** Whether {@link #settle} can delete what was delivered. */
  default boolean deletesDelivered() {
    return false;
  }

  /** The clock by which events fall due and claims expire; the database's where that is known. */
  default Clock clock() {
    return Clock.systemUTC();
  }

  /** Sees to it that {@link #clock} agrees with the database's; cheap if it was just done. */
  default void alignClock(Connection connection) {}

  /**
   * Gives claimed events back untouched, so that any node can claim them at once; rows that {@code
   * ownerId} no longer holds stay as they are. Returns how many were released. A store that can't
   * leaves them to the expiry of their lock.
   */
  default int releaseClaims(Connection connection, String ownerId, Collection<String> eventIds) {
    throw unsupported("releaseClaims");
  }

  /** The event with everything that is known about it. */
  default Optional<EventDetails> find(Connection connection, String eventId) {
    throw unsupported("find");
  }

  /** Dead events, oldest first; a null filter matches everything. */
  default List<OutboxEvent> queryDead(
      Connection connection,
      @Nullable String eventType,
      @Nullable String aggregateType,
      int limit) {
    throw unsupported("queryDead");
  }

  /** Makes a dead event new again: no attempts, no error, no lock, available now. */
  default int replayDead(Connection connection, String eventId) {
    throw unsupported("replayDead");
  }

  default int countDead(Connection connection, @Nullable String eventType) {
    throw unsupported("countDead");
  }

  /** A page of dead events, each with everything that is known about it. */
  default List<EventDetails> queryDead(Connection connection, DeadQuery query) {
    throw unsupported("queryDead with a query");
  }

  /** Counts dead events that match, and stops at {@code atMost}. */
  default int countDead(Connection connection, DeadFilter filter, int atMost) {
    throw unsupported("countDead with a filter");
  }

  /**
   * Replays the events of a page, in one transaction: the caller's if there is one. Events that
   * someone else is changing are passed over.
   */
  default DeadBatch replayDead(Connection connection, DeadQuery query) {
    throw unsupported("replayDead with a query");
  }

  /**
   * Discards the events of a page, as {@link #replayDead(Connection, DeadQuery)} replays them: each
   * is DONE now, and its last error says why.
   */
  default DeadBatch discardDead(Connection connection, DeadQuery query, DiscardReason reason) {
    throw unsupported("discardDead");
  }

  /** What has not been delivered; each count stops at {@code atMost}, which must be positive. */
  default Backlog backlog(Connection connection, int atMost) {
    throw unsupported("backlog");
  }

  /** What delivery in order needs beyond this. */
  default OrderedStore ordered() {
    throw unsupported("ordered");
  }

  private UnsupportedOperationException unsupported(String operation) {
    return new UnsupportedOperationException(
        "%s does not implement %s; override it in the store to use what needs it"
            .formatted(getClass().getName(), operation));
  }
}
