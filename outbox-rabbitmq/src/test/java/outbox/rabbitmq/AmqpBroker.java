package outbox.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A real broker that can be taken away and brought back under the same port. */
interface AmqpBroker {

  String USER = "shop";
  String PASSWORD = "s3cret-of-the-shop";

  /** What the broker itself refuses, in bytes. */
  int MAX_MESSAGE = 200_000;

  int port();

  void start() throws Exception;

  /** Without warning, as far as this broker can do that. */
  void kill() throws Exception;

  boolean isRunning();

  default void close() throws Exception {
    kill();
  }

  default String uri() {
    return uri(port());
  }

  static String uri(int port) {
    return "amqp://%s:%s@127.0.0.1:%d".formatted(USER, PASSWORD, port);
  }

  /** Straight to the broker, past whatever a test has put in between. */
  default Connection connect() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri());
    factory.setAutomaticRecoveryEnabled(false);
    return factory.newConnection("test");
  }

  /** Not one that systems give to outgoing connections: such a client could connect to itself. */
  static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        // Another one, then.
      }
    }
  }
}
