package outbox.samples.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Keeps the warnings and errors of the outbox off the screen: in this demo they are part of the
 * show. They are printed if the books don't balance.
 */
final class LibraryLog extends Handler {

  private static final int MOST = 50;

  private final Deque<String> records = new ArrayDeque<>();
  private final Logger root = Logger.getLogger("");

  LibraryLog() {
    setLevel(Level.WARNING);
    setFormatter(new SimpleFormatter());
  }

  /** Takes the place of every other handler. */
  LibraryLog install() {
    LogManager.getLogManager().reset();
    root.addHandler(this);
    return this;
  }

  synchronized List<String> records() {
    return List.copyOf(records);
  }

  @Override
  public synchronized void publish(LogRecord record) {
    if (!isLoggable(record)) {
      return;
    }
    records.addLast(getFormatter().format(record).strip());
    if (records.size() > MOST) {
      records.removeFirst();
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
