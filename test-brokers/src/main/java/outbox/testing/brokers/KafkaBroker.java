package outbox.testing.brokers;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker of one's own in KRaft mode, in a JVM of its own; it keeps its data and its ports
 * through {@link #stop}, {@link #kill} and {@link #start}, and is gone with the JVM that started
 * it.
 *
 * <p>Topics are not created by use. Anybody may do anything at {@link #address}; at {@link
 * #guardedAddress} clients log in with SASL/PLAIN as {@value #USER}, who may do what no ACL denies.
 * Thread-safe.
 *
 * <pre>{@code
 * try (KafkaBroker broker = KafkaBroker.builder().start()) {
 *   String bootstrapServers = broker.address();
 *   broker.kill();
 *   broker.start();
 * }
 * }</pre>
 */
public final class KafkaBroker implements AutoCloseable {

  /** Who may log in at {@link #guardedAddress}. */
  public static final String USER = "outbox";

  /** The password of {@link #USER}. */
  public static final String PASSWORD = "outbox-secret";

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String STARTED = "Kafka Server started";

  private final int port = Ports.free();
  private final int guardedPort = Ports.free();
  private final List<String> options;
  private final KafkaHome home;
  private @Nullable Process process;

  private KafkaBroker(Builder builder) {
    Map<String, String> settings = KafkaSettings.of(port, guardedPort, Ports.free());
    settings.putAll(builder.settings);
    home = KafkaHome.create(settings);
    options = List.copyOf(builder.options);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Of the broker; clients may have another. */
  public static String version() {
    return KafkaJvm.version();
  }

  /** For {@code bootstrap.servers}. */
  public String address() {
    return "localhost:" + port;
  }

  /** Likewise, where one has to log in. */
  public String guardedAddress() {
    return "localhost:" + guardedPort;
  }

  /** Starts a stopped or killed broker on its old ports; does nothing if it runs. */
  public synchronized void start() {
    if (process != null && process.isAlive()) {
      return;
    }
    int before = starts();
    try {
      process =
          KafkaJvm.of(KafkaMain.class.getName(), options, List.of(home.folder().toString()))
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(home.log().toFile()))
              .start();
    } catch (IOException e) {
      throw new BrokerUnavailableException("could not run java", e);
    }
    awaitStart(process, before);
  }

  /** Stops cleanly; returns when the process is gone. */
  public synchronized void stop() {
    running().toHandle().destroy(); // Process.destroy would also end its input
    awaitEnd();
  }

  /** Kills the broker as a crash would; returns when the process is gone. */
  public synchronized void kill() {
    running().toHandle().destroyForcibly();
    awaitEnd();
  }

  /** Lets it hang: connections stay, and nothing is answered until {@link #resume}. */
  public synchronized void pause() {
    signal("STOP");
  }

  public synchronized void resume() {
    signal("CONT");
  }

  /**
   * What Kafka's own console consumer prints of so many records, from the first one on, with
   * headers and keys.
   */
  public String consoleConsumer(String topic, int records) {
    List<String> arguments =
        List.of(
            "--bootstrap-server",
            address(),
            "--topic",
            topic,
            "--from-beginning",
            "--max-messages",
            Integer.toString(records),
            "--timeout-ms",
            Long.toString(PATIENCE.toMillis()),
            "--formatter-property",
            "print.headers=true",
            "--formatter-property",
            "print.key=true");
    try {
      Process consumer =
          KafkaJvm.of(
                  "org.apache.kafka.tools.consumer.ConsoleConsumer", KafkaSettings.HASTY, arguments)
              .redirectError(new File(home.folder().toFile(), "consumer.log"))
              .start();
      return new String(consumer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new BrokerUnavailableException("could not run the console consumer", e);
    }
  }

  /** Ends the broker, running or not, and removes its data. */
  @Override
  public synchronized void close() {
    Process ending = process;
    if (ending != null && ending.isAlive()) {
      resume();
      try {
        ending.getOutputStream().close();
      } catch (IOException e) {
        ending.destroyForcibly();
      }
      awaitEnd();
    }
    home.remove();
  }

  private void awaitStart(Process starting, int before) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (starts() == before) {
      if (exits(starting, Duration.ofMillis(20)) || System.nanoTime() - deadline > 0) {
        starting.destroyForcibly();
        throw new BrokerUnavailableException(
            "Kafka did not start; its log:\n" + home.logTail(), null);
      }
    }
  }

  /** How often it has said that it serves. */
  private int starts() {
    return (int) home.logged().stream().filter(line -> line.contains(STARTED)).count();
  }

  private void awaitEnd() {
    if (!exits(running(), PATIENCE)) {
      throw new BrokerUnavailableException("Kafka did not end within " + PATIENCE, null);
    }
    process = null;
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + running().pid()).start().waitFor();
    } catch (IOException e) {
      throw new BrokerUnavailableException("could not send " + name + " to Kafka", e);
    } catch (InterruptedException e) {
      throw BrokerUnavailableException.interrupted(e);
    }
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException("Kafka is not running; call start() first");
    }
    return process;
  }

  private static boolean exits(Process process, Duration patience) {
    try {
      return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw BrokerUnavailableException.interrupted(e);
    }
  }

  /** Settings of a broker that is yet to start. */
  public static final class Builder {

    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<String> options = new ArrayList<>(KafkaSettings.HASTY);

    private Builder() {}

    /** Sets one of the broker's own settings, such as {@code auto.create.topics.enable}. */
    public Builder set(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /** For a benchmark: all of the compiler, and a heap for load. */
    public Builder forThroughput() {
      options.clear();
      options.addAll(KafkaSettings.THROUGHPUT);
      return this;
    }

    /** Starts the broker; returns when it serves. */
    public KafkaBroker start() {
      KafkaBroker broker = new KafkaBroker(this);
      try {
        broker.start();
        return broker;
      } catch (RuntimeException e) {
        broker.close();
        throw e;
      }
    }
  }
}
