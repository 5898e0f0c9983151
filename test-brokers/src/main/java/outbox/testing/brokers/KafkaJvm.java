package outbox.testing.brokers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A child JVM with the classes of Kafka's distribution, which nobody else has. */
final class KafkaJvm {

  private static final String LOCATION = "kafka.properties";

  private KafkaJvm() {}

  static ProcessBuilder of(String main, List<String> options, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(), main));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  static String version() {
    return location().getProperty("version");
  }

  private static String classPath() {
    Path libraries = Path.of(location().getProperty("libraries"));
    if (!Files.isDirectory(libraries)) {
      throw new BrokerUnavailableException(
          "Kafka's libraries are not in %s; build the module test-brokers".formatted(libraries),
          null);
    }
    return ownClasses() + System.getProperty("path.separator") + libraries + "/*";
  }

  private static Properties location() {
    Properties location = new Properties();
    try (@Nullable InputStream file = KafkaJvm.class.getResourceAsStream(LOCATION)) {
      if (file == null) {
        throw new BrokerUnavailableException(LOCATION + " is not on the class path", null);
      }
      location.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return location;
  }

  private static String ownClasses() {
    try {
      return Path.of(KafkaJvm.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
