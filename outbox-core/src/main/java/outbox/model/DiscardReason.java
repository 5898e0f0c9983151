package outbox.model;

import outbox.internal.ErrorText;
import outbox.internal.Require;
import outbox.util.Nullable;

/** Why an operator gave an event up, in at most {@value #MAX_LENGTH} characters. */
public record DiscardReason(String text) {

  public static final int MAX_LENGTH = 500;

  /** How the last error of a discarded event begins. */
  static final String PREFIX = "discarded: ";

  public DiscardReason {
    Require.notEmpty("reason", text);
    Require.check(!text.isBlank(), "reason", "not blank", '"' + text + '"');
    Require.check(
        text.length() <= MAX_LENGTH, "reason", "at most " + MAX_LENGTH + " long", text.length());
  }

  /** What the event's last error becomes: the reason, and what it died of. */
  public String lastError(@Nullable String before) {
    String reason = PREFIX + text;
    return ErrorText.truncate(before == null ? reason : reason + "; died of " + before);
  }
}
