package outbox.testing.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;

/**
 * Ends a server and removes its folder when this JVM is gone, even by SIGKILL.
 *
 * <p>A shell reads from a pipe that only this JVM holds open; the kernel closes it with the JVM. A
 * shutdown hook would not run after a SIGKILL, and servers do not notice that their parent died.
 * Removing the folder is tried again while a server that is about to end still writes there.
 */
final class Watchdog implements AutoCloseable {
  private static final String SCRIPT =
      """
      trap '' HUP INT TERM
      server=
      while read -r line; do server=$line; done
      [ -n "$server" ] && kill -"$1" "$server"
      attempts=200
      until rm -rf "$2" || [ $attempts -eq 0 ]; do
        attempts=$((attempts - 1))
        sleep 0.05
      done
      """;

  private final Process shell;
  private final Writer pipe;

  Watchdog(ServerHome home, String discardSignal) {
    try {
      shell =
          new ProcessBuilder(
                  "sh", "-c", SCRIPT, "watchdog", discardSignal, home.folder().toString())
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw new DatabaseUnavailableException(
          "could not run sh, without which no server is started; name running ones by the"
              + " environment variables OUTBOX_TEST_..._URL",
          e);
    }
    pipe = shell.outputWriter(StandardCharsets.US_ASCII);
  }

  /** From now on this process is the server. */
  void guard(long pid) {
    tell(Long.toString(pid));
  }

  /** The server has ended; its id may soon be somebody else's. */
  void release() {
    tell("");
  }

  private void tell(String line) {
    try {
      pipe.write(line + "\n");
      pipe.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the watchdog of a test database is gone", e);
    }
  }

  /** Does now what it would do at the JVM's end, and waits for it. */
  @Override
  public void close() {
    try {
      pipe.close();
      shell.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      // The shell goes on by itself.
      Thread.currentThread().interrupt();
    }
  }
}
