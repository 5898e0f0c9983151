package outbox.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;
import outbox.spi.OutboxStore;

/** A store under test, used as the engine does: each call on a connection of its own, committed. */
final class StoreSession {

  /** Far more than any store truncates or any clock of a test machine is off. */
  static final Duration SLACK = Duration.ofMinutes(1);

  /** Something to do on a connection. */
  @FunctionalInterface
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private final StoreFixture fixture;

  StoreSession(StoreFixture fixture) {
    this.fixture = fixture;
  }

  OutboxStore store() {
    return fixture.store();
  }

  /** Commits where auto-commit doesn't. */
  <T> T call(Work<T> work) {
    try (Connection connection = fixture.connections().getConnection()) {
      T result = work.on(connection);
      if (connection != null && !connection.getAutoCommit()) {
        connection.commit();
      }
      return result;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Leaves the transaction to the work. */
  void inTransaction(Work<?> work) {
    try (Connection connection = fixture.connections().getConnection()) {
      connection.setAutoCommit(false);
      work.on(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  EventEnvelope insert(EventEnvelope event) {
    call(
        connection -> {
          store().insertNew(connection, event);
          return event;
        });
    return event;
  }

  EventEnvelope insert(String eventType) {
    return insert(EventEnvelope.ofJson(eventType, "{}"));
  }

  void insertAll(List<EventEnvelope> events) {
    call(
        connection -> {
          store().insertBatch(connection, events);
          return events;
        });
  }

  int markDone(EventEnvelope event) {
    return call(connection -> store().markDone(connection, event.eventId()));
  }

  int markRetry(EventEnvelope event, Instant nextAt, @Nullable String error) {
    return call(connection -> store().markRetry(connection, event.eventId(), nextAt, error));
  }

  int markDead(EventEnvelope event, @Nullable String error) {
    return call(connection -> store().markDead(connection, event.eventId(), error));
  }

  EventEnvelope insertDead(EventEnvelope event) {
    insert(event);
    markDead(event, "no use");
    return event;
  }

  Optional<EventDetails> find(EventEnvelope event) {
    return find(event.eventId());
  }

  Optional<EventDetails> find(String eventId) {
    return call(connection -> store().find(connection, eventId));
  }

  EventDetails row(EventEnvelope event) {
    return find(event).orElseThrow();
  }

  /** What is pending a little later than now. */
  List<OutboxEvent> poll(int limit) {
    return poll(soon(), Duration.ZERO, limit);
  }

  List<OutboxEvent> poll(Instant now, Duration skipRecent, int limit) {
    return call(connection -> store().pollPending(connection, now, skipRecent, limit));
  }

  /** Claims as of a moment, with locks that expire after five minutes. */
  List<OutboxEvent> claim(String ownerId, Instant now, int limit) {
    Instant lockExpiry = now.minus(Duration.ofMinutes(5));
    return call(
        connection ->
            store().claimPending(connection, ownerId, now, lockExpiry, Duration.ZERO, limit));
  }

  int release(String ownerId, List<String> eventIds) {
    return call(connection -> store().releaseClaims(connection, ownerId, eventIds));
  }

  List<OutboxEvent> dead(int limit) {
    return call(connection -> store().queryDead(connection, null, null, limit));
  }

  int replay(EventEnvelope event) {
    return call(connection -> store().replayDead(connection, event.eventId()));
  }

  /** Now, as precisely as databases keep it. */
  static Instant now() {
    return Clock.systemUTC().instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** When everything that was inserted until now is due, whatever the database's clock says. */
  static Instant soon() {
    return now().plus(SLACK);
  }

  static List<String> ids(List<OutboxEvent> rows) {
    return rows.stream().map(OutboxEvent::eventId).toList();
  }
}
