package outbox.jdbc.ordered;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import outbox.EventEnvelope;
import outbox.EventHeaders;

/**
 * Appends to the history that all processes share: a line is written at once and whole, so that
 * lines stand in the order of what they tell, and what a killed process wrote stays.
 */
final class HistoryWriter implements AutoCloseable {

  private final FileOutputStream file;
  private final String node;
  private final AtomicLong calls = new AtomicLong();

  HistoryWriter(Path path, String node) throws IOException {
    file = new FileOutputStream(path.toFile(), true);
    this.node = node;
  }

  /** Returns the number of the call. */
  long begins(EventEnvelope event) {
    long call = calls.incrementAndGet();
    append(
        "begin %s %d %d %s %s %s %s %s"
            .formatted(
                node,
                call,
                System.nanoTime(),
                event.aggregateId(),
                event.payloadJson(),
                event.headers().get(EventHeaders.SEQUENCE),
                event.headers().get(EventHeaders.EPOCH),
                event.eventId()));
    return call;
  }

  void ends(long call, boolean succeeded) {
    append("end %s %d %d %s".formatted(node, call, System.nanoTime(), succeeded));
  }

  void lost() {
    append("lost " + node);
  }

  private void append(String line) {
    try {
      file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
