package outbox.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** A connection, and whether its broker takes messages. */
final class Link {

  private static final int FAREWELL_MILLIS = 1000;

  private final Connection connection;
  private final @Nullable Socket socket;
  private volatile @Nullable String blocked;

  Link(Connection connection, @Nullable Socket socket) {
    this.connection = connection;
    this.socket = socket;
    connection.addBlockedListener(
        reason -> blocked = reason == null ? "no reason given" : reason, () -> blocked = null);
  }

  boolean isOpen() {
    return connection.isOpen();
  }

  /** Why the broker takes nothing; null if it does. */
  @Nullable String blocked() {
    return isOpen() ? blocked : null;
  }

  Channel createChannel() throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("the broker allows no further channel");
    }
    return channel;
  }

  /** Says goodbye. */
  void close() {
    try {
      connection.abort(FAREWELL_MILLIS);
    } catch (AlreadyClosedException ignored) {
      // It has ended.
    }
  }

  /**
   * Ends it at once, and with it whatever hangs in it. Saying goodbye would wait for a thread that
   * hangs in a write.
   */
  void cut() {
    if (socket == null) {
      close();
      return;
    }
    try {
      socket.close();
    } catch (IOException ignored) {
      // It has ended.
    }
  }
}
