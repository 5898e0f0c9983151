package outbox.rabbitmq;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;
import org.jspecify.annotations.Nullable;

/** Apache Qpid in this JVM, with everything in memory. */
final class QpidBroker implements AmqpBroker {

  private static final String CONFIGURATION =
      """
      {
        "name": "test",
        "modelVersion": "8.0",
        "authenticationproviders": [{
          "name": "plain", "type": "Plain", "secureOnlyMechanisms": [],
          "users": [{"name": "%s", "type": "managed", "password": "%s"}]
        }],
        "ports": [{
          "name": "AMQP", "port": "%d", "bindingAddress": "127.0.0.1",
          "authenticationProvider": "plain", "protocols": ["AMQP_0_9_1"],
          "context": {"qpid.max_message_size": "%d"},
          "virtualhostaliases": [
            {"name": "nameAlias", "type": "nameAlias"},
            {"name": "defaultAlias", "type": "defaultAlias"}
          ]
        }],
        "virtualhostnodes": [{
          "name": "default", "type": "Memory", "defaultVirtualHostNode": "true",
          "virtualHostInitialConfiguration": "{\\"type\\":\\"Memory\\"}"
        }]
      }
      """;

  private final int port = AmqpBroker.freePort();
  private @Nullable SystemLauncher launcher;

  @Override
  public int port() {
    return port;
  }

  @Override
  public void start() throws Exception {
    Path configuration = Files.createTempFile("qpid", ".json");
    Files.writeString(configuration, CONFIGURATION.formatted(USER, PASSWORD, port, MAX_MESSAGE));
    SystemLauncher starting = new SystemLauncher();
    starting.startup(
        Map.of(
            "type",
            "Memory",
            "initialConfigurationLocation",
            configuration.toUri().toString(),
            "startupLoggedToSystemOut",
            "false"));
    launcher = starting;
    Files.delete(configuration);
  }

  @Override
  public void kill() {
    if (launcher != null) {
      launcher.shutdown();
      launcher = null;
    }
  }

  @Override
  public boolean isRunning() {
    return launcher != null;
  }
}
