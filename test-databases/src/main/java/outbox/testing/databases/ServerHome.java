package outbox.testing.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A server's own temporary folder: its data and its log. */
record ServerHome(Path folder) {
  private static final int LOG_TAIL = 20;

  static ServerHome create(String scheme) {
    try {
      ServerHome home = new ServerHome(Files.createTempDirectory("outbox-" + scheme + "-"));
      Files.createDirectory(home.data());
      return home;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path data() {
    return folder.resolve("data");
  }

  Path log() {
    return folder.resolve("server.log");
  }

  /** Whether this JVM runs as root, whose the folder then is. */
  boolean ownedByRoot() {
    try {
      return Files.getAttribute(folder, "unix:uid").equals(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets other accounts reach the data folder, not read this one. */
  void letOthersPass() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
  }

  String logTail() {
    if (Files.notExists(log())) {
      return "(nothing was logged)";
    }
    try {
      // Servers may log in any encoding; ISO-8859-1 decodes all of them without failing.
      List<String> lines = Files.readAllLines(log(), StandardCharsets.ISO_8859_1);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL), lines.size()));
    } catch (IOException e) {
      return "(not readable: " + e + ")";
    }
  }
}
