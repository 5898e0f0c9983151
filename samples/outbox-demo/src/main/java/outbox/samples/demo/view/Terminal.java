package outbox.samples.demo.view;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** What there is to know about the terminal, asked of the tools that every Unix has. */
final class Terminal {

  private static final Screen.Size DEFAULT = new Screen.Size(24, 80);
  private static final long ASK_EVERY = Duration.ofMillis(500).toNanos();

  private Screen.Size size = DEFAULT;
  private long nextAsk = System.nanoTime();

  /** Whether someone watches who wants to see more than plain lines. */
  static boolean isInteractive(Map<String, String> environment) {
    String term = environment.getOrDefault("TERM", "dumb");
    boolean wantsPlain = !environment.getOrDefault("NO_COLOR", "").isEmpty();
    return !term.equals("dumb") && !wantsPlain && isTerminal();
  }

  /** Follows the window when it is resized. */
  synchronized Screen.Size size() {
    if (System.nanoTime() - nextAsk >= 0) {
      nextAsk = System.nanoTime() + ASK_EVERY;
      size = ask();
    }
    return size;
  }

  private static boolean isTerminal() {
    try {
      return new ProcessBuilder("sh", "-c", "[ -t 1 ]").inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Screen.Size ask() {
    try {
      Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
      String answer =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      String[] numbers = answer.split(" ", 2);
      Screen.Size answered =
          new Screen.Size(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
      return answered.rows() > 0 && answered.columns() > 0 ? answered : size;
    } catch (IOException | RuntimeException e) {
      return size;
    }
  }
}
