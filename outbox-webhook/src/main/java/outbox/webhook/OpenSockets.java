package outbox.webhook;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The sockets that are open, to be closed with whatever opened them. */
final class OpenSockets {

  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  void add(Socket socket) {
    open.add(socket);
    if (isClosed) {
      close(socket);
    }
  }

  void remove(Socket socket) {
    open.remove(socket);
  }

  int size() {
    return open.size();
  }

  void closeAll() {
    isClosed = true;
    open.forEach(OpenSockets::close);
  }

  static void close(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException alreadyBroken) {
      // Nothing is left to be closed.
    }
  }
}
