package outbox.dispatch;

import java.lang.System.Logger;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.internal.RateLimitedLog;
import outbox.internal.SafeLogger;
import outbox.util.Nullable;

/** Puts a failure into words that may be stored and logged, whatever the redactor does. */
final class FailureText {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  private final ErrorRedactor redactor;
  private final int maxLength;
  private final RateLimitedLog broken = new RateLimitedLog(LOG);

  FailureText(ErrorRedactor redactor, int maxLength) {
    this.redactor = redactor;
    this.maxLength = maxLength;
  }

  /** Never empty. */
  String of(EventEnvelope event, Throwable failure) {
    String text = redacted(event, failure);
    String told = text == null ? "" : fitting(text);
    return told.isEmpty() ? fitting(ErrorText.classNames(failure)) : told;
  }

  private String fitting(String text) {
    return ErrorText.truncate(ErrorText.harmless(text).strip(), maxLength);
  }

  private @Nullable String redacted(EventEnvelope event, Throwable failure) {
    try {
      return redactor.redact(event, failure);
    } catch (Throwable e) {
      broken.warn(
          1,
          count ->
              "error redactor failed, so that only class names are stored: count=%d last: %s threw %s"
                  .formatted(count, event, e.getClass().getName()));
      return null;
    }
  }
}
