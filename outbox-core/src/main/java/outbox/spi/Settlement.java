package outbox.spi;

import java.util.Objects;
import outbox.util.Nullable;

/**
 * What became of one event, under the claim it was delivered by; null where events are not claimed.
 */
public record Settlement(String eventId, @Nullable Claim claim, Outcome outcome) {

  public Settlement {
    Objects.requireNonNull(eventId, "eventId must not be null");
    Objects.requireNonNull(outcome, "outcome must not be null");
  }
}
