package outbox.samples.rabbitmq;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.qpid.server.SystemLauncher;

/** Apache Qpid, which speaks RabbitMQ's protocol, in this process and in memory. */
final class EmbeddedBroker implements AutoCloseable {

  private static final String CONFIGURATION =
      """
      {
        "name": "demo", "modelVersion": "8.0",
        "authenticationproviders": [{
          "name": "plain", "type": "Plain", "secureOnlyMechanisms": [],
          "users": [{"name": "guest", "type": "managed", "password": "guest"}]
        }],
        "ports": [{
          "name": "AMQP", "port": "%d", "bindingAddress": "127.0.0.1",
          "authenticationProvider": "plain", "protocols": ["AMQP_0_9_1"],
          "virtualhostaliases": [{"name": "defaultAlias", "type": "defaultAlias"}]
        }],
        "virtualhostnodes": [{
          "name": "default", "type": "Memory", "defaultVirtualHostNode": "true",
          "virtualHostInitialConfiguration": "{\\"type\\":\\"Memory\\"}"
        }]
      }
      """;

  private final int port = freePort();
  private SystemLauncher launcher = new SystemLauncher();

  EmbeddedBroker() throws Exception {
    start();
  }

  String uri() {
    return "amqp://guest:guest@127.0.0.1:" + port;
  }

  /** Empty, as it keeps everything in memory. */
  void start() throws Exception {
    Path configuration = Files.createTempFile("broker", ".json");
    Files.writeString(configuration, CONFIGURATION.formatted(port));
    launcher = new SystemLauncher();
    launcher.startup(
        Map.of(
            "type", "Memory",
            "initialConfigurationLocation", configuration.toUri().toString(),
            "startupLoggedToSystemOut", "false"));
    Files.delete(configuration);
  }

  @Override
  public void close() {
    launcher.shutdown();
  }

  private static int freePort() {
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
