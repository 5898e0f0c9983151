package outbox.testing;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.EventRow;
import outbox.spi.Outcome;

/** The changes a row can go through, each giving the next version of it. */
record RowVersion(EventDetails details) {

  private static final int LONGEST_ERROR = 4000;

  static RowVersion of(EventEnvelope event, EventRow row) {
    OutboxEvent columns =
        new OutboxEvent(
            event.eventId(),
            event.eventType(),
            event.aggregateType(),
            event.aggregateId(),
            event.tenantId(),
            row.payload(),
            row.headers(),
            0,
            row.createdAt());
    return new RowVersion(
        new EventDetails(columns, EventStatus.NEW, row.availableAt(), null, null, null, null));
  }

  RowVersion locked(String ownerId, Instant at) {
    return with(details.status(), details.availableAt(), details.doneAt(), ownerId, at);
  }

  RowVersion unlocked() {
    return with(details.status(), details.availableAt(), details.doneAt(), null, null);
  }

  RowVersion dueAt(Instant availableAt) {
    return with(
        details.status(), availableAt, details.doneAt(), details.lockedBy(), details.lockedAt());
  }

  RowVersion ended(EventStatus status, Instant doneAt) {
    return with(status, details.availableAt(), doneAt, details.lockedBy(), details.lockedAt());
  }

  /** One attempt more, and why it failed. */
  RowVersion failedAgain(EventStatus status, @Nullable String error) {
    return failed(status, details.event().attempts() + 1, error);
  }

  RowVersion tried(int attempts) {
    return failed(details.status(), attempts, details.lastError());
  }

  RowVersion failed(EventStatus status, int attempts, @Nullable String error) {
    return new RowVersion(
        new EventDetails(
            attempted(attempts),
            status,
            details.availableAt(),
            details.doneAt(),
            error,
            details.lockedBy(),
            details.lockedAt()));
  }

  /** Empty if the row is deleted. */
  Optional<RowVersion> after(Outcome outcome, Instant now) {
    if (outcome instanceof Outcome.Delivered delivered) {
      return delivered.deleted()
          ? Optional.empty()
          : Optional.of(ended(EventStatus.DONE, now).unlocked());
    }
    if (outcome instanceof Outcome.Retry retry) {
      return Optional.of(
          failed(EventStatus.RETRY, retry.attempts(), cut(retry.error()))
              .dueAt(micros(retry.nextAt()))
              .unlocked());
    }
    if (outcome instanceof Outcome.Dead dead) {
      return Optional.of(
          failed(EventStatus.DEAD, dead.attempts(), cut(dead.error()))
              .ended(EventStatus.DEAD, now)
              .unlocked());
    }
    if (outcome instanceof Outcome.Deferred deferred) {
      return Optional.of(tried(deferred.attempts()).dueAt(micros(deferred.nextAt())).unlocked());
    }
    if (outcome instanceof Outcome.Started started) {
      return Optional.of(tried(started.attempts()));
    }
    return Optional.of(
        outcome instanceof Outcome.Kept kept
            ? locked(kept.claim().ownerId(), micros(kept.claim().lockedAt()))
            : unlocked());
  }

  /** As if it had just been written. */
  RowVersion renewed(Instant availableAt) {
    return new RowVersion(
        new EventDetails(attempted(0), EventStatus.NEW, availableAt, null, null, null, null));
  }

  /** Given up by an operator. */
  RowVersion discarded(DiscardReason reason, Instant doneAt) {
    return new RowVersion(
        new EventDetails(
            details.event(),
            EventStatus.DONE,
            details.availableAt(),
            doneAt,
            reason.lastError(details.lastError()),
            null,
            null));
  }

  private RowVersion with(
      EventStatus status,
      Instant availableAt,
      @Nullable Instant doneAt,
      @Nullable String lockedBy,
      @Nullable Instant lockedAt) {
    return new RowVersion(
        new EventDetails(
            details.event(), status, availableAt, doneAt, details.lastError(), lockedBy, lockedAt));
  }

  private OutboxEvent attempted(int attempts) {
    OutboxEvent event = details.event();
    return new OutboxEvent(
        event.eventId(),
        event.eventType(),
        event.aggregateType(),
        event.aggregateId(),
        event.tenantId(),
        event.payloadJson(),
        event.headersJson(),
        attempts,
        event.createdAt());
  }

  /** Databases keep microseconds, and so does this. */
  static Instant micros(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS);
  }

  /** Cuts at the limit, never through a surrogate pair. */
  static @Nullable String cut(@Nullable String error) {
    if (error == null || error.length() <= LONGEST_ERROR) {
      return error;
    }
    boolean splitsPair = Character.isHighSurrogate(error.charAt(LONGEST_ERROR - 1));
    return error.substring(0, splitsPair ? LONGEST_ERROR - 1 : LONGEST_ERROR);
  }
}
