package outbox.webhook;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class warns of while this is open. */
final class CapturedWarnings implements AutoCloseable {

  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          if (record.getLevel().equals(Level.WARNING)) {
            messages.add(record.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  CapturedWarnings(Class<?> source) {
    logger = Logger.getLogger(source.getName());
    logger.addHandler(handler);
  }

  List<String> messages() {
    return messages;
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
  }
}
