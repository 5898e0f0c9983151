package outbox.destination;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a destination now.
 *
 * @param since when it came into this state
 * @param lastError class and message of the last failure, of whatever kind; null if there was none
 * @param lastErrorAt when that was
 * @param inFlight events that wait for their answer
 * @param delivered events so far
 * @param failed events so far that were tried and not delivered, and were charged with it
 * @param deferred events so far that were put off without being charged, however often
 * @param outages how often the destination went away
 */
public record DestinationHealth(
    String name,
    State state,
    Instant since,
    @Nullable String lastError,
    @Nullable Instant lastErrorAt,
    int inFlight,
    long delivered,
    long failed,
    long deferred,
    long outages) {

  /** What becomes of an event that comes now. */
  public enum State {

    /** It is sent. */
    UP,

    /** It is put off: the destination is away, and now and then a few events find out whether. */
    DOWN,

    /** It is put off until somebody calls {@link GuardedDestination#resume}. */
    PAUSED,

    /** It is put off until another process takes it. */
    CLOSED
  }
}
