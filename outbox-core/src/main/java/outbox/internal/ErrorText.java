package outbox.internal;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Function;
import outbox.util.Nullable;

/** What {@code last_error} says of a failure: class and message of it and of each cause. */
public final class ErrorText {

  /** The specification's limit for {@code last_error}. */
  public static final int MAX_LENGTH = 4000;

  private ErrorText() {}

  /** Never empty, at most {@value #MAX_LENGTH} characters. */
  public static String of(Throwable failure) {
    StringBuilder text = new StringBuilder();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable t = failure; t != null && seen.add(t); t = ask(t, Throwable::getCause)) {
      text.append(text.isEmpty() ? "" : "; caused by ").append(describe(t));
      if (text.length() > MAX_LENGTH) {
        break;
      }
    }
    return truncate(text.toString());
  }

  /** Cuts at the limit, never through a surrogate pair. */
  public static String truncate(String raw) {
    String text = raw.replace('\0', '\uFFFD'); // PostgreSQL stores no NUL
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1));
    return text.substring(0, splitsPair ? MAX_LENGTH - 1 : MAX_LENGTH);
  }

  private static String describe(Throwable failure) {
    String message = ask(failure, Throwable::getMessage);
    String name = failure.getClass().getName();
    return message == null || message.isBlank() ? name : name + ": " + message;
  }

  /** An exception is a user's class, too: what it says of itself may fail in any way. */
  private static <T> @Nullable T ask(Throwable failure, Function<Throwable, @Nullable T> question) {
    try {
      return question.apply(failure);
    } catch (Throwable brokenAnswer) {
      return null;
    }
  }
}
