package outbox.rabbitmq;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ as a process of its own, with a folder and a name server of its own. A system has to
 * have it: Debian's package is rabbitmq-server.
 */
final class RabbitBroker implements AmqpBroker {

  private static final Path PROGRAMS = Path.of("/usr/lib/rabbitmq/bin");

  private final int port = AmqpBroker.freePort();
  private final int nameServerPort = AmqpBroker.freePort();
  private final int distributionPort = AmqpBroker.freePort();
  private final Path folder;
  private @Nullable Process nameServer;
  private @Nullable Process server;

  RabbitBroker() throws IOException {
    if (!Files.isExecutable(PROGRAMS.resolve("rabbitmq-server"))) {
      throw new IllegalStateException(
          "RabbitMQ must be installed in %s; on Debian: apt-get install rabbitmq-server"
              .formatted(PROGRAMS));
    }
    folder = Files.createTempDirectory("rabbitmq");
    Files.writeString(
        folder.resolve("rabbitmq.conf"),
        """
        listeners.tcp.1 = 127.0.0.1:%d
        default_user = %s
        default_pass = %s
        max_message_size = %d
        disk_free_limit.absolute = 10MB
        log.console = false
        """
            .formatted(port, USER, PASSWORD, MAX_MESSAGE));
    Files.writeString(folder.resolve("enabled_plugins"), "[].");
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void start() throws IOException {
    if (nameServer == null) {
      nameServer = process("epmd", "-port", "" + nameServerPort, "-address", "127.0.0.1").start();
    }
    server = process(PROGRAMS.resolve("rabbitmq-server").toString()).start();
    await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptions()
        .until(this::answers);
  }

  @Override
  public void kill() throws InterruptedException {
    if (server != null) {
      List<ProcessHandle> children = server.descendants().toList();
      server.destroyForcibly().waitFor();
      children.forEach(ProcessHandle::destroyForcibly);
      server = null;
    }
  }

  @Override
  public boolean isRunning() {
    return server != null;
  }

  /** Takes no more messages, or does again, as if memory were short. */
  void alarm(boolean isOn) throws Exception {
    String resource = "{resource_limit, memory, node()}";
    control(
        "eval",
        isOn
            ? "rabbit_alarm:set_alarm({%s, []}).".formatted(resource)
            : "rabbit_alarm:clear_alarm(%s).".formatted(resource));
  }

  /** Lets the user write to a topic exchange with the routing keys that match. */
  void permitTopics(String exchange, String routingKeys) throws Exception {
    control("set_topic_permissions", USER, exchange, routingKeys, ".*");
  }

  @Override
  public void close() throws Exception {
    kill();
    if (nameServer != null) {
      nameServer.destroyForcibly().waitFor();
    }
    try (var files = Files.walk(folder)) {
      files.map(Path::toFile).sorted((a, b) -> b.compareTo(a)).forEach(File::delete);
    }
  }

  private boolean answers() throws Exception {
    try (Connection connection = connect()) {
      return connection.isOpen();
    }
  }

  private void control(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = PROGRAMS.resolve("rabbitmqctl").toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Process control = process(command).start();
    if (!control.waitFor(1, TimeUnit.MINUTES) || control.exitValue() != 0) {
      throw new IllegalStateException(
          "rabbitmqctl must succeed, got: " + Files.readString(folder.resolve("output.log")));
    }
  }

  private ProcessBuilder process(String... command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("RABBITMQ_"));
    builder
        .environment()
        .putAll(
            Map.ofEntries(
                Map.entry("HOME", folder.toString()),
                Map.entry("ERL_EPMD_PORT", "" + nameServerPort),
                Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
                Map.entry("RABBITMQ_NODENAME", "outbox%d@localhost".formatted(port)),
                Map.entry("RABBITMQ_DIST_PORT", "" + distributionPort),
                Map.entry("RABBITMQ_CONF_ENV_FILE", "/dev/null"),
                Map.entry("RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq.conf").toString()),
                Map.entry(
                    "RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("enabled_plugins").toString()),
                Map.entry("RABBITMQ_MNESIA_BASE", folder.resolve("data").toString()),
                Map.entry("RABBITMQ_LOG_BASE", folder.resolve("log").toString()),
                Map.entry("RABBITMQ_GENERATED_CONFIG_DIR", folder.resolve("made").toString()),
                // The process is the broker itself then, and no shell that waits for it.
                Map.entry("RUNNING_UNDER_SYSTEMD", "true")));
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("output.log").toFile()));
  }
}
