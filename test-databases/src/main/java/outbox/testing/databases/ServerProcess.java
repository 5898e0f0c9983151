package outbox.testing.databases;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A child process that runs in its home and writes to the log there. */
final class ServerProcess {
  private static final Duration FAREWELL = Duration.ofSeconds(10);
  private static final Duration ORPHANS_FAREWELL = Duration.ofSeconds(1);

  private final Process process;

  private ServerProcess(Process process) {
    this.process = process;
  }

  static ServerProcess start(List<String> command, ServerHome home) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C");
    builder.directory(home.folder().toFile());
    builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(home.log().toFile()));
    try {
      return new ServerProcess(builder.start());
    } catch (IOException e) {
      throw new DatabaseUnavailableException("could not run " + command.get(0), e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  int exitCode() {
    return process.exitValue();
  }

  boolean exitsWithin(Duration patience) {
    try {
      return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Sends a signal by its short name; Java itself knows only TERM and KILL. */
  void signal(String name) {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid()).start().waitFor();
    } catch (IOException e) {
      throw new DatabaseUnavailableException("could not send " + name + " to a server", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Ends the process and its children at once, and returns when they are gone. */
  void kill() {
    List<ProcessHandle> family = process.descendants().toList();
    process.destroyForcibly();
    family.forEach(ProcessHandle::destroyForcibly);
    exitsWithin(FAREWELL);
    awaitEnd(family);
  }

  /** Waits briefly: a dead orphan counts as alive until the system's first process takes notice. */
  private static void awaitEnd(List<ProcessHandle> family) {
    CompletableFuture.allOf(
            family.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, ORPHANS_FAREWELL.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  private static DatabaseUnavailableException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new DatabaseUnavailableException("interrupted while waiting for a server", cause);
  }
}
