package outbox.jdbc.ordered;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node in a process of its own. */
final class NodeProcess implements AutoCloseable {

  private final String name;
  private final Process process;
  private final BufferedReader output;

  private NodeProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    output = process.inputReader(StandardCharsets.UTF_8);
  }

  static NodeProcess start(NodeSettings settings, File log) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OrderedNode.class.getName()));
    command.addAll(settings.arguments());
    try {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.redirectError(ProcessBuilder.Redirect.appendTo(log));
      return new NodeProcess(settings.name(), builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return name;
  }

  /** Returns when the node takes part. */
  NodeProcess awaitStart() {
    try {
      if (output.readLine() == null) {
        throw new IllegalStateException("node ended before it started: " + name);
      }
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As a crash of the process. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** As a process that gets no time for long. */
  void pause() {
    signal("STOP");
  }

  void resume() {
    signal("CONT");
  }

  /** Ends as a deployment would end it. */
  void shutDown() {
    closeInput();
    awaitEnd();
    if (process.exitValue() != 0) {
      throw new IllegalStateException("node ended with " + process.exitValue() + ": " + name);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void awaitEnd() {
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("node does not end: " + name);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    closeInput();
  }

  private void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void signal(String signal) {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid()).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
