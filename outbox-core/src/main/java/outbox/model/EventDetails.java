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
    @Nullable Instant lockedAt) {

  /** Whether an operator ended it instead of a delivery; {@code lastError} has the reason. */
  public boolean isDiscarded() {
    return status == EventStatus.DONE
        && lastError != null
        && lastError.startsWith(DiscardReason.PREFIX);
  }
}
