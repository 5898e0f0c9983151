package outbox.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import outbox.destination.UnavailableException;

/**
 * The one connection with its one channel for events; made when they are needed, but no more than
 * once a second while that fails. One channel, because a broker keeps order within a channel only.
 */
final class Line {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Connector connector;
  private final Failures failures;
  private final BiConsumer<List<Outgoing>, ShutdownSignalException> atEnd;
  private volatile @Nullable Link link;
  private volatile @Nullable ConfirmChannel channel;
  private volatile boolean closed;
  private @Nullable UnavailableException failure;
  private long failedAt;

  Line(
      Connector connector,
      Failures failures,
      BiConsumer<List<Outgoing>, ShutdownSignalException> atEnd) {
    this.connector = connector;
    this.failures = failures;
    this.atEnd = atEnd;
  }

  /** For the publishing thread alone; null if a channel has to be {@linkplain #open opened}. */
  @Nullable ConfirmChannel openChannel() {
    requireUnblocked();
    ConfirmChannel current = channel;
    return current != null && current.isOpen() ? current : null;
  }

  /** For the publishing thread alone; waits for a connection if there is none. */
  void open() {
    ConfirmChannel ended = channel;
    if (ended != null) {
      ended.handOver();
    }
    UnavailableException last = failure;
    if (last != null && System.nanoTime() - failedAt < PAUSE.toNanos()) {
      throw last;
    }
    try {
      channel = ConfirmChannel.open(openLink().createChannel(), failures, atEnd);
      failure = null;
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      cut(); // A broker that doesn't open a channel is given up altogether.
      failure = failures.unreachable(e);
      failedAt = System.nanoTime();
      throw failure;
    }
  }

  /** Beside the one, for what is no event. */
  Channel anotherChannel() throws IOException {
    Link current = link;
    if (current == null) {
      throw new IOException("there is no connection");
    }
    return current.createChannel();
  }

  /** Why the broker takes nothing; null if it does, or isn't there. */
  @Nullable UnavailableException blocked() {
    Link current = link;
    String reason = current == null ? null : current.blocked();
    return reason == null ? null : failures.blocked(reason);
  }

  @Nullable ConfirmChannel channel() {
    return channel;
  }

  /** Ends the connection without a word; the next event makes a new one. */
  void cut() {
    Link current = link;
    if (current != null) {
      current.cut();
    }
  }

  /** Says goodbye only to a broker that is known to listen. */
  void close(boolean politely) {
    closed = true;
    Link current = link;
    if (current != null && politely) {
      current.close();
    } else {
      cut();
    }
  }

  private Link openLink() throws IOException, TimeoutException {
    Link current = link;
    if (current == null || !current.isOpen()) {
      current = connector.connect();
      link = current;
    }
    if (closed) {
      current.close();
      throw failures.closed();
    }
    return current;
  }

  private void requireUnblocked() {
    UnavailableException blocked = blocked();
    if (blocked != null) {
      throw blocked;
    }
  }
}
