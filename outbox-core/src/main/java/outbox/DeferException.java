package outbox;

import java.time.Duration;
import outbox.internal.Require;
import outbox.util.Nullable;

/**
 * Thrown by a listener that can't take the event now: it comes again later, and no attempt is
 * counted.
 *
 * <p>For what isn't the event's fault: a paused destination, a limit on calls, a maintenance
 * window. An event may be deferred any number of times, so a listener that defers for ever keeps
 * its events for ever. The shortest delay is a second: deferring is no way of waiting.
 */
public class DeferException extends OutboxException {

  private static final long serialVersionUID = 1L;

  /** What shorter delays are raised to. */
  public static final Duration SHORTEST_DELAY = Duration.ofSeconds(1);

  private final Duration delay;

  public DeferException(Duration delay, String message) {
    this(delay, message, null);
  }

  public DeferException(Duration delay, String message, @Nullable Throwable cause) {
    super(message, cause);
    Require.notNegative("delay", delay);
    this.delay = delay.compareTo(SHORTEST_DELAY) < 0 ? SHORTEST_DELAY : delay;
  }

  public final Duration delay() {
    return delay;
  }
}
