package outbox.testing.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/** A broker's own temporary folder: its settings, its data and its log. */
record KafkaHome(Path folder) {

  static final String PROPERTIES = "server.properties";

  private static final int LOG_TAIL = 30;

  static KafkaHome create(Map<String, String> settings) {
    try {
      KafkaHome home = new KafkaHome(Files.createTempDirectory("outbox-kafka-"));
      Properties properties = new Properties();
      properties.putAll(settings);
      properties.setProperty("log.dirs", home.folder.resolve("data").toString());
      try (Writer file = Files.newBufferedWriter(home.folder.resolve(PROPERTIES))) {
        properties.store(file, null);
      }
      Files.createFile(home.log());
      return home;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path log() {
    return folder.resolve("server.log");
  }

  List<String> logged() {
    try {
      return Files.readAllLines(log(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String logTail() {
    List<String> lines = logged();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL), lines.size()));
  }

  /** What the broker writes meanwhile stays; it is in the folder for temporary files. */
  void remove() {
    if (Files.notExists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("could not remove " + folder + ": " + e);
    }
  }
}
