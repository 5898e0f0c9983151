package outbox.internal;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import outbox.util.Nullable;

/**
 * A failure as it may be told: class names, stack traces, causes and what was suppressed are the
 * same, and the messages are changed. It answers whatever it is asked, and has an end.
 */
public final class ToldFailure extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Causes and suppressed ones in all; whoever prints them goes into each by recursion. */
  private static final int MOST = 50;

  private ToldFailure(String text) {
    super(text);
  }

  /** The failure itself, if it may be told as it is. */
  public static Throwable of(Throwable failure, UnaryOperator<String> change) {
    return isUnchanged(failure, change, newSet()) ? failure : copy(failure, change, newSet());
  }

  /** Likewise, for whoever can throw nothing checked. */
  public static RuntimeException unchecked(Throwable failure, UnaryOperator<String> change) {
    Throwable told = of(failure, change);
    if (told instanceof Error error) {
      throw error;
    }
    return told instanceof RuntimeException unchecked ? unchecked : copy(told, change, newSet());
  }

  @SuppressWarnings("OverrideThrowableToString") // the text names the class that it was
  @Override
  public String toString() {
    return String.valueOf(getMessage());
  }

  /** The stack is the other one's. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  private static boolean isUnchanged(
      Throwable failure, UnaryOperator<String> change, Set<Throwable> seen) {
    if (seen.size() >= MOST || !seen.add(failure)) {
      return false;
    }
    try {
      if (!isUnchanged(failure.getMessage(), change)
          || !isUnchanged(failure.toString(), change)
          || (failure.getCause() != null && !isUnchanged(failure.getCause(), change, seen))) {
        return false;
      }
    } catch (Throwable brokenAnswer) {
      return false;
    }
    for (Throwable suppressed : failure.getSuppressed()) {
      if (!isUnchanged(suppressed, change, seen)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUnchanged(@Nullable String text, UnaryOperator<String> change) {
    return text == null || change.apply(text).equals(text);
  }

  private static ToldFailure copy(
      Throwable failure, UnaryOperator<String> change, Set<Throwable> seen) {
    seen.add(failure);
    ToldFailure told = new ToldFailure(text(failure, change));
    told.setStackTrace(
        Objects.requireNonNullElseGet(
            ErrorText.ask(failure, Throwable::getStackTrace), () -> new StackTraceElement[0]));
    Throwable cause = ErrorText.ask(failure, Throwable::getCause);
    if (cause != null && seen.size() < MOST && !seen.contains(cause)) {
      told.initCause(copy(cause, change, seen));
    }
    for (Throwable suppressed : failure.getSuppressed()) {
      if (seen.size() < MOST && !seen.contains(suppressed)) {
        told.addSuppressed(copy(suppressed, change, seen));
      }
    }
    return told;
  }

  /** What was told before names its class already. */
  private static String text(Throwable failure, UnaryOperator<String> change) {
    return failure instanceof ToldFailure
        ? change.apply(failure.toString())
        : ErrorText.describe(failure, change);
  }

  private static Set<Throwable> newSet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }
}
