package outbox.model;

import java.time.Instant;
import outbox.util.Nullable;

/** A stored event with everything an operator asks about: where it stands, since when and why. */
public record EventDetails(
    OutboxEvent event,
    EventStatus status,
    Instant availableAt,
    @Nullable Instant doneAt,
    @Nullable String lastError,
    @Nullable String lockedBy,
    @Nullable Instant lockedAt) {}
