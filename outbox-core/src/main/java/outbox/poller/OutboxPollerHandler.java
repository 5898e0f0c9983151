package outbox.poller;

import outbox.EventEnvelope;
import outbox.spi.Claim;
import outbox.spi.Fetched;
import outbox.util.Nullable;

/** Takes events from the poller; once for each event that could be read. */
@FunctionalInterface
public interface OutboxPollerHandler {

  /** Returns false when there is no room: the poll ends and the event stays in the database. */
  boolean handle(EventEnvelope event, int attempts);

  /**
   * Like {@link #handle(EventEnvelope, int)}, with all that is known of the event; this is what the
   * poller calls.
   *
   * @param claim what the event is locked by for this node; null if events are not locked
   */
  default boolean handle(EventEnvelope event, Fetched fetched, @Nullable Claim claim) {
    return handle(event, fetched.event().attempts());
  }

  /** How many events would be taken now; the poller asks for no more. */
  default int availableCapacity() {
    return Integer.MAX_VALUE;
  }

  /**
   * How many bytes of events would be taken now, for handlers that bound their memory; the poller
   * asks for about as much. All that such a handler has, when it has no event, is enough for one.
   */
  default long availableBytes() {
    return Long.MAX_VALUE;
  }

  /** Called before events are fetched; what ends from now on may be handed over all the same. */
  default void pollStarts() {}

  /** Called when everything that was fetched is handed over. */
  default void pollEnds() {}

  /**
   * Whether anything that the last poll handed over was new here; if so, the next one follows soon.
   * A poll that locks nothing also fetches what is being delivered already.
   */
  default boolean hasNews() {
    return true;
  }

  /** Called once by the poller this handler was given to, which may then be woken early. */
  default void attached(OutboxPoller poller) {}
}
