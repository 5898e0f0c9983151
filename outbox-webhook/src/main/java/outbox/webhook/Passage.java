package outbox.webhook;

import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * What became of the connection for one request. One that is sent over a connection of an earlier
 * request needs none of its own, and nothing is noted.
 */
final class Passage {

  /** What the client shows at the gateway, which lets nobody else through. */
  private final String ticket;

  private final OpenSockets sockets = new OpenSockets();
  private volatile boolean isUsed;
  private volatile boolean isConnecting;
  private volatile @Nullable IOException failure;

  Passage(String ticket) {
    this.ticket = ticket;
  }

  String ticket() {
    return ticket;
  }

  /** For this request alone, so that it is closed with it, however that ends. */
  void uses(Socket socket) {
    sockets.add(socket);
  }

  /** The request is over: whoever still waits for its answer is woken by the end of its socket. */
  void end() {
    sockets.closeAll();
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
