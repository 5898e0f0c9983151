package outbox.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import outbox.util.Nullable;

/** What {@code last_error} says of a failure: class and message of it and of each cause. */
public final class ErrorText {

  /** The specification's limit for {@code last_error}. */
  public static final int MAX_LENGTH = 4000;

  private static final int MOST_CAUSES = 50;

  /** What could forge a line of a log or confuse whoever reads it. */
  private static final Pattern HARMFUL =
      Pattern.compile("[\\p{Cntrl}\\u0080-\\u009F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]+");

  private ErrorText() {}

  /** Never empty, at most {@value #MAX_LENGTH} characters. */
  public static String of(Throwable failure) {
    return of(failure, UnaryOperator.identity());
  }

  /** Likewise, with each message changed. */
  public static String of(Throwable failure, UnaryOperator<String> message) {
    StringBuilder text = new StringBuilder();
    for (Throwable t : chain(failure)) {
      text.append(text.isEmpty() ? "" : "; caused by ").append(describe(t, message));
      if (text.length() > MAX_LENGTH) {
        break;
      }
    }
    return truncate(text.toString());
  }

  /** Like {@link #of}, without messages. */
  public static String classNames(Throwable failure) {
    return truncate(
        chain(failure).stream()
            .map(t -> t.getClass().getName())
            .collect(Collectors.joining("; caused by ")));
  }

  /** The failure, its cause, the cause of that, and so on; ends where it would begin again. */
  public static List<Throwable> chain(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable t = failure;
        t != null && chain.size() < MOST_CAUSES && seen.add(t);
        t = ask(t, Throwable::getCause)) {
      chain.add(t);
    }
    return chain;
  }

  /** In one line, without what a terminal would obey. */
  public static String harmless(String text) {
    return HARMFUL.matcher(text).replaceAll(" ");
  }

  /** Anything else becomes a question mark. */
  public static String ascii(String text) {
    return text.replaceAll("[^\\x20-\\x7E]", "?");
  }

  /** Cuts at the limit, never through a surrogate pair. */
  public static String truncate(String raw) {
    return truncate(raw, MAX_LENGTH);
  }

  public static String truncate(String raw, int length) {
    String text = withoutNul(raw);
    if (text.length() <= length) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(length - 1));
    return text.substring(0, splitsPair ? length - 1 : length);
  }

  /** PostgreSQL stores none. */
  static String withoutNul(String text) {
    return text.replace('\0', '\uFFFD');
  }

  /** Class and message, or just the class. */
  static String describe(Throwable failure, UnaryOperator<String> change) {
    String message = ask(failure, Throwable::getMessage);
    String name = failure.getClass().getName();
    return message == null || message.isBlank() ? name : name + ": " + change.apply(message);
  }

  /** An exception is a user's class, too: what it says of itself may fail in any way. */
  static <T> @Nullable T ask(Throwable failure, Function<Throwable, @Nullable T> question) {
    try {
      return question.apply(failure);
    } catch (Throwable brokenAnswer) {
      return null;
    }
  }
}
