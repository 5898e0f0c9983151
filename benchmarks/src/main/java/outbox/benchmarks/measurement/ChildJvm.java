package outbox.benchmarks.measurement;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Another JVM with the same classes, killed at the latest when it is closed. */
final class ChildJvm implements AutoCloseable {

  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  static ChildJvm start(Class<?> main, List<String> options, List<String> arguments)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"));
    builder.command().addAll(options);
    builder.command().add(main.getName());
    builder.command().addAll(arguments);
    return new ChildJvm(builder.redirectError(Redirect.INHERIT).start());
  }

  /** The next line it prints. */
  String line() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the other JVM ended early");
    }
    return line;
  }

  /** Waits until it prints this line. */
  void expect(String expected) throws IOException {
    String line = line();
    if (!line.equals(expected)) {
      throw new IOException("the other JVM said '%s', not '%s'".formatted(line, expected));
    }
  }

  /** Sends it an empty line, for which it waits. */
  void nudge() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  /** Ends its input: what it was told to do until then it does no more. */
  void endInput() throws IOException {
    process.getOutputStream().close();
  }

  /** Waits for its end; 0 if all went well. */
  int exitStatus() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
