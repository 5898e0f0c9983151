package outbox.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Everything that is logged by the outbox while this is open, and nothing of it on the console. */
public final class CapturedLogs implements AutoCloseable {

  private final Logger logger = Logger.getLogger("outbox");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  public CapturedLogs() {
    handler.setLevel(Level.ALL);
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  /** Messages with their stack traces, as a file would show them. */
  public List<String> all() {
    SimpleFormatter formatter = new SimpleFormatter();
    return records.stream().map(formatter::format).toList();
  }

  /** System.Logger's ERROR is SEVERE here. */
  public List<String> at(Level level) {
    SimpleFormatter formatter = new SimpleFormatter();
    return records.stream()
        .filter(record -> record.getLevel().equals(level))
        .map(formatter::formatMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }
}
