package outbox.testing.databases;

import java.util.Locale;

/** This machine, in the words that published server binaries use in their file names. */
final class Platform {
  private Platform() {}

  static String system() {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    return name.startsWith("mac") ? "darwin" : name;
  }

  static String processor() {
    String name = System.getProperty("os.arch");
    return switch (name) {
      case "amd64" -> "x86_64";
      case "aarch64" -> "arm_64";
      default -> name;
    };
  }
}
