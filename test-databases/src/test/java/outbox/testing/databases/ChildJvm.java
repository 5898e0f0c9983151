package outbox.testing.databases;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Another JVM that uses databases until it is told to end, or killed. */
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  static ChildJvm run(Class<?> main, Map<String, String> environment, String... arguments)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            main.getName());
    builder.command().addAll(List.of(arguments));
    builder.environment().putAll(environment);
    return new ChildJvm(builder.redirectError(Redirect.INHERIT).start());
  }

  String line() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the child JVM ended without an answer");
    }
    return line;
  }

  Process process() {
    return process;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
