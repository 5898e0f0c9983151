package outbox.spring.boot;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the outbox says while this is open: its parts log the settings that they start with. */
final class LogLines implements AutoCloseable {

  private final Logger logger = Logger.getLogger("outbox");
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          Object[] parameters = line.getParameters();
          lines.add(
              parameters == null || parameters.length == 0
                  ? line.getMessage()
                  : MessageFormat.format(line.getMessage(), parameters));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  LogLines() {
    logger.addHandler(handler);
  }

  /** The line that begins like this. */
  String line(String beginning) {
    return all(beginning).stream()
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line begins with " + beginning + ": " + lines));
  }

  List<String> all(String beginning) {
    return lines.stream().filter(line -> line.startsWith(beginning)).toList();
  }

  boolean has(String beginning) {
    return !all(beginning).isEmpty();
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
  }
}
