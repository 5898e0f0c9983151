package outbox.internal;

import java.time.Duration;
import java.util.Objects;
import outbox.util.Nullable;

/** Checks on arguments, all with one message form: {@code <name> must be <rule>, got: <value>}. */
public final class Require {

  private Require() {}

  public static String notEmpty(String name, @Nullable String value) {
    Objects.requireNonNull(value, () -> name + " must not be null");
    check(!value.isEmpty(), name, "not empty", "\"\"");
    return value;
  }

  /** A text that every database can hold and find again as it is; null is none. */
  public static void storable(String name, @Nullable String value) {
    if (value != null) {
      check(value.indexOf('\0') < 0, name, "free of NUL characters", "one with a NUL");
      wellFormed(name, value);
    }
  }

  /** UTF-8 has no bytes for half a character, so that another text would come back. */
  public static void wellFormed(String name, String value) {
    int index = Utf8.unpairedSurrogate(value);
    if (index >= 0) {
      throw refusal(name, "free of unpaired surrogates", "one at index " + index);
    }
  }

  /** A text that a column of this length holds. */
  public static String fits(String name, String value, int limit) {
    storable(name, value);
    if (value.length() > limit) {
      throw refusal(
          name,
          "at most " + limit + " characters",
          value.length() + " characters: " + value.substring(0, limit));
    }
    return value;
  }

  /** A name that is set once and compared by databases, some of which don't count spaces. */
  public static String storableName(String name, String value, int longest) {
    notEmpty(name, value);
    storable(name, value);
    check(!value.endsWith(" "), name, "without a space at its end", '"' + value + '"');
    check(value.length() <= longest, name, "at most " + longest + " characters", value.length());
    return value;
  }

  public static int atLeast(int minimum, String name, int value) {
    check(value >= minimum, name, "at least " + minimum, value);
    return value;
  }

  public static long atLeast(long minimum, String name, long value) {
    check(value >= minimum, name, "at least " + minimum, value);
    return value;
  }

  public static Duration positive(String name, Duration value) {
    Objects.requireNonNull(value, () -> name + " must not be null");
    check(!value.isZero() && !value.isNegative(), name, "positive", value);
    return value;
  }

  public static Duration notNegative(String name, Duration value) {
    Objects.requireNonNull(value, () -> name + " must not be null");
    check(!value.isNegative(), name, "zero or positive", value);
    return value;
  }

  /** For a builder's {@code build()}: a required part that was never given. */
  public static <T> T given(String name, @Nullable T value) {
    return Objects.requireNonNull(value, () -> name + " must be set before build()");
  }

  public static void check(boolean holds, String name, String rule, Object value) {
    if (!holds) {
      throw refusal(name, rule, value);
    }
  }

  /** For checks of every event, whose messages are not to be put together before they fail. */
  public static IllegalArgumentException refusal(String name, String rule, Object value) {
    return new IllegalArgumentException(name + " must be " + rule + ", got: " + value);
  }
}
