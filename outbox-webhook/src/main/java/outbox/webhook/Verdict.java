package outbox.webhook;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a try has shown.
 *
 * @param after how long the receiver asked not to be called
 */
record Verdict(Kind kind, String message, @Nullable Duration after, @Nullable Throwable cause) {

  enum Kind {
    /** The receiver has taken the event. */
    DELIVERED,
    /** The receiver will never take this event. */
    REFUSED,
    /** The receiver wants no events any more. */
    GONE,
    /** This try failed; another one may not. */
    FAILED,
    /** The receiver is at fault, and says so: because of the event, or of everything. */
    BROKEN,
    /** The receiver said when it wants to be called again. */
    THROTTLED,
    /** The receiver was reached, and didn't answer for itself: the event's fault, or an outage. */
    SILENT,
    /** The receiver could not be reached; no event has anything to do with that. */
    UNREACHABLE
  }

  static Verdict of(Kind kind, String message) {
    return new Verdict(kind, message, null, null);
  }

  static Verdict of(Kind kind, String message, @Nullable Throwable cause) {
    return new Verdict(kind, message, null, cause);
  }

  static Verdict throttled(String message, Duration after) {
    return new Verdict(Kind.THROTTLED, message, after, null);
  }

  Verdict after(Duration after) {
    return new Verdict(kind, message, after, cause);
  }
}
