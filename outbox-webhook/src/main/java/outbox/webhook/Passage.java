package outbox.webhook;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What became of the connection for one request. One that is sent over a connection of an earlier
 * request needs none of its own, and nothing is noted.
 */
final class Passage {

  /** What the client shows at the gateway, which lets nobody else through. */
  private final String ticket;

  private volatile boolean isUsed;
  private volatile boolean isConnecting;
  private volatile @Nullable IOException failure;

  Passage(String ticket) {
    this.ticket = ticket;
  }

  String ticket() {
    return ticket;
  }

  void connecting() {
    isUsed = true;
    isConnecting = true;
  }

  void connected() {
    isConnecting = false;
  }

  void failed(IOException failure) {
    this.failure = failure;
    isConnecting = false;
  }

  /** Whether a connection was made for this request, rather than one of an earlier used. */
  boolean isUsed() {
    return isUsed;
  }

  boolean isConnecting() {
    return isConnecting;
  }

  @Nullable IOException failure() {
    return failure;
  }
}
