package outbox.internal;

import java.lang.System.Logger;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import java.util.function.Supplier;
import outbox.util.Nullable;

/**
 * A logger whose messages stay in their line, whatever the ids, types, names and errors in them
 * contain: line breaks, escapes of terminals and characters that turn the direction of text are
 * spelled out. That goes for exceptions, too. Costs nothing where the level is off.
 *
 * <p>It never throws, whatever backends, suppliers and the exceptions in messages do: a line is
 * lost then, and whoever wrote it goes on.
 *
 * <p>It is a {@link Logger} itself, because backends that tell where a line comes from pass over
 * those.
 */
public final class SafeLogger implements Logger {

  private static final int FIRST_BEYOND_ASCII = 0x7F;

  private final Logger logger;

  private SafeLogger(Logger logger) {
    this.logger = logger;
  }

  public static Logger of(Class<?> type) {
    return new SafeLogger(System.getLogger(type.getName()));
  }

  @Override
  public String getName() {
    return logger.getName();
  }

  @Override
  public boolean isLoggable(Level level) {
    try {
      return logger.isLoggable(level);
    } catch (Throwable e) {
      return false;
    }
  }

  @Override
  public void log(Level level, Supplier<String> message) {
    log(level, message, null);
  }

  @Override
  public void log(Level level, Supplier<String> message, @Nullable Throwable thrown) {
    if (isLoggable(level)) {
      log(level, null, text(message), thrown);
    }
  }

  @Override
  public void log(Level level, Object message) {
    log(level, () -> String.valueOf(message), null);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    try {
      if (logger.isLoggable(level)) {
        logger.log(
            level,
            bundle,
            message == null ? null : visible(message),
            thrown == null ? null : ToldFailure.of(thrown, SafeLogger::visible));
      }
    } catch (Throwable e) {
      // There is nobody to tell.
    }
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object @Nullable ... parameters) {
    if (isLoggable(level)) {
      boolean isPlain = format == null || parameters == null || parameters.length == 0;
      String message = isPlain ? format : text(() -> MessageFormat.format(format, parameters));
      log(level, bundle, message, (Throwable) null);
    }
  }

  /** What a line that can't be made says is at least that. */
  private static String text(Supplier<String> message) {
    try {
      return message.get();
    } catch (Throwable e) {
      return "a message could not be made: " + e.getClass().getName();
    }
  }

  /** The text itself, unless it contains what is not to be obeyed. */
  static String visible(String text) {
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      if (isObeyed(text.codePointAt(i))) {
        return spelledOut(text, i);
      }
    }
    return text;
  }

  private static String spelledOut(String text, int from) {
    StringBuilder result = new StringBuilder(text.length() + 16).append(text, 0, from);
    text.substring(from)
        .codePoints()
        .forEach(
            c -> {
              if (isObeyed(c)) {
                spellOut(result, c);
              } else {
                result.appendCodePoint(c);
              }
            });
    return result.toString();
  }

  private static void spellOut(StringBuilder result, int codePoint) {
    switch (codePoint) {
      case '\n' -> result.append("\\n");
      case '\r' -> result.append("\\r");
      case '\t' -> result.append("\\t");
      default -> {
        for (char c : Character.toChars(codePoint)) {
          result.append("\\u%04x".formatted((int) c));
        }
      }
    }
  }

  /** By logs, terminals or whatever else shows the text. */
  private static boolean isObeyed(int codePoint) {
    if (codePoint < FIRST_BEYOND_ASCII) {
      return codePoint < ' ';
    }
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }
}
