package outbox.webhook;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.DeferException;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.RetryAfterException;
import outbox.destination.UnavailableException;
import outbox.webhook.Troubles.Hold;

/** Turns what a try has shown into what becomes of the event. */
final class Outcomes {

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Duration LONGEST_PAUSE_IF_GUARDED = Duration.ofSeconds(1);

  private final boolean isFixed;
  private final Troubles troubles;

  /**
   * One endpoint is the destination, and whoever guards that decides when it is tried again. Of
   * several, each is guarded here: an outage of one is no outage of the others.
   */
  Outcomes(WebhookSettings settings) {
    isFixed = settings.isFixed();
    troubles =
        isFixed
            ? new Troubles(settings.clock(), LONGEST_PAUSE_IF_GUARDED, Duration.ZERO)
            : new Troubles(settings.clock(), LONGEST_PAUSE, settings.requestTimeout());
  }

  /** Why the endpoint is not to be called now; null if it is. */
  @Nullable OutboxException hold(Endpoint endpoint) {
    Optional<Hold> hold = troubles.hold(endpoint);
    if (hold.isEmpty()) {
      return null;
    }
    String message = "not sent, because before it " + hold.get().reason();
    return isFixed && hold.get().isOutage()
        ? new UnavailableException(message, null)
        : new DeferException(hold.get().delay(), message);
  }

  /** The failure of the event; null if it is delivered. */
  @Nullable OutboxException conclude(Endpoint endpoint, Verdict verdict) {
    troubles.note(endpoint, verdict);
    return switch (verdict.kind()) {
      case DELIVERED -> null;
      case REFUSED, GONE -> new NonRetryableException(verdict.message(), verdict.cause());
      case FAILED -> failed(verdict);
      case THROTTLED -> deferred(endpoint, verdict);
      case UNREACHABLE -> unavailable(endpoint, verdict);
      case SILENT -> troubles.isOut(endpoint) ? unavailable(endpoint, verdict) : failed(verdict);
    };
  }

  private OutboxException unavailable(Endpoint endpoint, Verdict verdict) {
    return isFixed
        ? new UnavailableException(verdict.message(), verdict.cause())
        : deferred(endpoint, verdict);
  }

  private DeferException deferred(Endpoint endpoint, Verdict verdict) {
    Duration delay = troubles.delay(endpoint);
    return new DeferException(delay, verdict.message(), verdict.cause());
  }

  private static OutboxException failed(Verdict verdict) {
    return verdict.after() == null
        ? new DeliveryFailedException(verdict.message(), verdict.cause())
        : new RetryAfterException(verdict.after(), verdict.message(), verdict.cause());
  }
}
