package outbox.internal;

import java.lang.System.Logger;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import outbox.util.Nullable;

/**
 * A logger whose messages stay in their line, whatever the ids, types, names and errors in them
 * contain: line breaks, escapes of terminals and characters that turn the direction of text are
 * spelled out. That goes for exceptions, too. Costs nothing where the level is off.
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
    return logger.isLoggable(level);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    if (logger.isLoggable(level)) {
      logger.log(
          level,
          bundle,
          message == null ? null : visible(message),
          thrown == null ? null : ToldFailure.of(thrown, SafeLogger::visible));
    }
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object @Nullable ... parameters) {
    if (logger.isLoggable(level)) {
      boolean isPlain = format == null || parameters == null || parameters.length == 0;
      String message = isPlain ? format : MessageFormat.format(format, parameters);
      log(level, bundle, message, (Throwable) null);
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
