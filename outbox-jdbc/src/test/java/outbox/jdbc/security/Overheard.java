package outbox.jdbc.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Everything that the outbox logs or throws, to the last detail. */
final class Overheard implements AutoCloseable {

  private final Logger logger = Logger.getLogger("outbox");
  private final List<String> texts = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          texts.add(new SimpleFormatter().format(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  Overheard() {
    handler.setLevel(Level.ALL);
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  void add(Object told) {
    texts.add(String.valueOf(told));
  }

  /** Fails if it does not. */
  void throwing(ThrowingCallable operation) {
    Throwable failure = Assertions.catchThrowable(operation);
    assertThat(failure).isNotNull();
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException e) {
        e.forEach(each -> each.printStackTrace(new PrintWriter(text)));
      }
    }
    add(text);
  }

  /** So that a test which hears nothing doesn't pass. */
  void assertHeard(String text) {
    assertThat(texts).anyMatch(told -> told.contains(text));
  }

  void assertNeverHeard(String secret) {
    assertThat(texts).isNotEmpty().noneMatch(told -> told.contains(secret));
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }
}
