package outbox.faults.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import outbox.EventEnvelope;
import outbox.EventHeaders;

/**
 * The history of one process, which only grows: each line goes to the file at once and whole, so
 * that a killed process leaves all it did behind. Times are of the machine's monotonic clock, which
 * all its processes share. Thread-safe.
 */
public final class Journal implements AutoCloseable {

  static final String SUFFIX = ".history";

  private final FileOutputStream file;
  private final AtomicLong numbers = new AtomicLong();

  public Journal(Path folder, String process) {
    try {
      file = new FileOutputStream(folder.resolve(process + SUFFIX).toFile(), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** These events are about to be committed; returns the number of the transaction. */
  public long writes(List<EventEnvelope> events) {
    long transaction = numbers.incrementAndGet();
    StringBuilder line = new StringBuilder("write ").append(transaction);
    for (EventEnvelope event : events) {
      line.append(' ').append(event.eventId());
      line.append(' ').append(event.aggregateId()).append(' ').append(Payload.trace(event));
    }
    append(System.nanoTime(), line.toString());
    return transaction;
  }

  public void committed(long transaction) {
    append(System.nanoTime(), "commit " + transaction);
  }

  /** Only if that is certain: a transaction without an end may have been either. */
  public void rolledBack(long transaction) {
    append(System.nanoTime(), "rollback " + transaction);
  }

  /** A listener was given a list of so many events. */
  public void takes(int events) {
    append(System.nanoTime(), "take " + events);
  }

  /** Returns the number of the listener's call. */
  public long begins(EventEnvelope event) {
    long nanos = System.nanoTime();
    long call = numbers.incrementAndGet();
    append(
        nanos,
        "begin %d %s %s %s %s %s"
            .formatted(
                call,
                event.eventId(),
                event.aggregateId(),
                Payload.trace(event),
                event.headers().getOrDefault(EventHeaders.SEQUENCE, "0"),
                event.headers().getOrDefault(EventHeaders.EPOCH, "0")));
    return call;
  }

  /** The call is about to succeed, and whoever made it is told that it failed. */
  public void forgets(long call) {
    append(System.nanoTime(), "forget " + call);
  }

  public void ends(long call, boolean succeeded) {
    append(System.nanoTime(), "end %d %s".formatted(call, succeeded));
  }

  /** The process says that others took over what it had: an excuse for nothing. */
  public void lostLease() {
    append(System.nanoTime(), "lost");
  }

  private void append(long nanos, String line) {
    try {
      file.write((nanos + " " + line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
