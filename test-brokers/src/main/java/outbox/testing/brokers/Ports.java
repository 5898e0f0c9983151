package outbox.testing.brokers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds TCP ports that stay free while a broker is down. */
final class Ports {
  // Below the ranges from which systems take ports for outgoing connections: a client that retries
  // a stopped broker on such a port can end up connected to itself and keep the broker out.
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;

  private Ports() {}

  static int free() {
    int port;
    do {
      port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
    } while (!isFree(port));
    return port;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
