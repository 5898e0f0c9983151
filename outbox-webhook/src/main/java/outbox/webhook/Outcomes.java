package outbox.webhook;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.RetryAfterException;
import outbox.destination.UnavailableException;
import outbox.webhook.Troubles.Hold;
import outbox.webhook.Verdict.Kind;

/** Turns what a try has shown into what becomes of the event. */
final class Outcomes {

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Duration LONGEST_PAUSE_IF_GUARDED = Duration.ofMillis(200);

  private final boolean isFixed;
  private final Troubles troubles;
  private final Suspects suspects = new Suspects();
  private final Standstill standstill;

  /**
   * One endpoint is the destination, and whoever guards that decides when it is tried again. Of
   * several, each is guarded here: an outage of one is no outage of the others.
   */
  Outcomes(WebhookSettings settings) {
    isFixed = settings.isFixed();
    standstill = new Standstill(settings.name());
    troubles =
        isFixed
            ? new Troubles(settings.spans(), LONGEST_PAUSE_IF_GUARDED, Duration.ZERO)
            : new Troubles(settings.spans(), LONGEST_PAUSE, settings.requestTimeout());
  }

  /** Why the endpoint is not to be called now; null if it is. */
  @Nullable OutboxException hold(Endpoint endpoint, EventEnvelope event) {
    Hold hold = troubles.hold(endpoint).orElse(null);
    if (hold == null) {
      return null;
    }
    String message = told(event, "not sent, because shortly before " + hold.reason());
    if (!isFixed) {
      standstill.putOff(endpoint, hold.reason(), hold.left());
      return new DeferException(spread(hold.left()), message);
    }
    return hold.isOutage()
        ? new UnavailableException(message, null)
        : new UnavailableException(message, null, hold.left());
  }

  /** The failure of the event; null if it is delivered. */
  @Nullable OutboxException conclude(Endpoint endpoint, EventEnvelope event, Verdict verdict) {
    troubles.note(endpoint, event.eventId(), verdict);
    String message = told(event, verdict.message());
    return switch (verdict.kind()) {
      case DELIVERED -> {
        suspects.delivered(endpoint, event);
        yield null;
      }
      case REFUSED, GONE -> new NonRetryableException(message, verdict.cause());
      case FAILED -> failed(message, verdict);
      case THROTTLED, UNREACHABLE -> unavailable(endpoint, message, verdict);
      case SILENT, BROKEN ->
          isToBlame(endpoint, event, verdict)
              ? failed(message, verdict)
              : unavailable(endpoint, message, verdict);
    };
  }

  /** A receiver that says itself what is wrong is there, unless it says so to everybody. */
  private boolean isToBlame(Endpoint endpoint, EventEnvelope event, Verdict verdict) {
    boolean isOvertaken = suspects.isOvertaken(endpoint, event);
    return isOvertaken || (verdict.kind() == Kind.BROKEN && !troubles.isOut(endpoint));
  }

  private OutboxException unavailable(Endpoint endpoint, String message, Verdict verdict) {
    if (isFixed) {
      return new UnavailableException(message, verdict.cause(), verdict.after());
    }
    Duration delay = troubles.delay(endpoint);
    standstill.putOff(endpoint, verdict.message(), delay);
    return new DeferException(spread(delay), message, verdict.cause());
  }

  /** What waits for one moment must not come in one moment: up to half as long again. */
  private static Duration spread(Duration delay) {
    long millis = delay.toMillis();
    return Duration.ofMillis(millis + ThreadLocalRandom.current().nextLong(millis / 2 + 1000));
  }

  private static OutboxException failed(String message, Verdict verdict) {
    return verdict.after() == null
        ? new DeliveryFailedException(message, verdict.cause())
        : new RetryAfterException(verdict.after(), message, verdict.cause());
  }

  private static String told(EventEnvelope event, String what) {
    return "event %s of type %s: %s".formatted(event.eventId(), event.eventType(), what);
  }
}
