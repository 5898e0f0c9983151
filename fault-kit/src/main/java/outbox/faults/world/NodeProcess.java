package outbox.faults.world;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import outbox.faults.node.Node;
import outbox.faults.node.NodeSettings;

/** A node in a process of its own, and what can be done to a process. */
public final class NodeProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration GLANCE = Duration.ofMillis(2);

  /** A process that stands still prints nothing. */
  private static final Duration PRINTING = Duration.ofSeconds(10);

  private final NodeSettings settings;
  private final Process process;
  private final BufferedReader output;

  private NodeProcess(NodeSettings settings, Process process) {
    this.settings = settings;
    this.process = process;
    output = process.inputReader(StandardCharsets.UTF_8);
  }

  static NodeProcess start(NodeSettings settings, File log) {
    List<String> command =
        new ArrayList<>(
            List.of(
                tool("java"),
                "-Xmx" + settings.heap() + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djdk.attach.allowAttachSelf=true",
                "-cp",
                System.getProperty("java.class.path"),
                Node.class.getName()));
    command.addAll(settings.arguments());
    try {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.redirectError(ProcessBuilder.Redirect.appendTo(log));
      return new NodeProcess(settings, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  public String name() {
    return settings.name();
  }

  public NodeSettings settings() {
    return settings;
  }

  /** Returns when the node takes part. */
  NodeProcess awaitStart() {
    awaitLine("started");
    return this;
  }

  /** Returns when the node has written all that it was asked for. */
  public void awaitWritten() {
    awaitLine("written");
  }

  /** Whether the node has written all that it was asked for. */
  public boolean hasWritten() {
    try {
      return output.ready();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitLine(String expected) {
    try {
      String line = output.readLine();
      if (!expected.equals(line)) {
        throw new IllegalStateException(
            "%s must say: %s, got: %s".formatted(name(), expected, line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As a crash of the process. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /**
   * As a process that gets no time for long. Returns when all of its threads stand still: one of
   * them has to get some time to stop the others, and these go on until then.
   */
  void pause() {
    signal("STOP");
    await().pollInterval(GLANCE).atMost(PATIENCE).until(this::isStopped);
  }

  public void resume() {
    signal("CONT");
  }

  /** Adds to the log what its threads are doing. */
  void printThreads(File log) {
    ProcessBuilder printing =
        new ProcessBuilder(tool("jcmd"), String.valueOf(process.pid()), "Thread.print")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    try {
      Process printer = printing.start();
      if (!printer.waitFor(PRINTING.toMillis(), TimeUnit.MILLISECONDS)) {
        printer.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Asks it to end, as a deployment does; returns at once. */
  void terminate() {
    process.destroy();
  }

  /** Lets it end by itself. */
  void shutDown() {
    closeInput();
    awaitEnd();
    if (process.exitValue() != 0) {
      throw new IllegalStateException("node ended with " + process.exitValue() + ": " + name());
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Whether it is gone after that time. */
  boolean endsWithin(Duration patience) {
    try {
      return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void awaitEnd() {
    if (!endsWithin(PATIENCE)) {
      throw new IllegalStateException("node does not end: " + name());
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

  /** Also true on systems that don't tell. */
  private boolean isStopped() {
    Path threads = Path.of("/proc", String.valueOf(process.pid()), "task");
    if (!Files.isDirectory(threads)) {
      return true;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
      for (Path thread : all) {
        String stat = Files.readString(thread.resolve("stat"));
        if (!stat.substring(stat.lastIndexOf(')')).startsWith(") T")) {
          return false;
        }
      }
      return true;
    } catch (IOException | DirectoryIteratorException e) {
      return false; // a thread has just ended
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
