package outbox.dispatch;

import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.internal.PayloadMask;
import outbox.util.Nullable;

/**
 * Decides what of a failure is stored in {@code last_error} and logged.
 *
 * <p>What it returns is cut to the dispatcher's {@code lastErrorMaxLength}, and control characters
 * become spaces. If it throws, or returns nothing, the names of the exceptions' classes are stored.
 */
@FunctionalInterface
public interface ErrorRedactor {

  @Nullable
  String redact(EventEnvelope event, Throwable failure);

  /**
   * The default: class and message of the failure and of each cause, without the payload. Where a
   * message shares 16 characters or more with the payload, or contains all of a shorter one, it
   * says {@code [payload]} instead. Shorter parts, and headers, stay if a listener tells them.
   */
  static ErrorRedactor withoutPayload() {
    return (event, failure) -> ErrorText.of(failure, message -> PayloadMask.hide(message, event));
  }
}
