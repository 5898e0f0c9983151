package outbox.samples.demo.view;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Chooses how to show the run. */
public final class Views {

  private Views() {}

  public static boolean isInteractive() {
    return Terminal.isInteractive(System.getenv());
  }

  public static View plain(PrintStream out) {
    return new PlainView(out);
  }

  /** Takes over the screen until it is closed, at the latest when the process ends. */
  public static View live(PrintStream out) {
    Map<String, String> environment = System.getenv();
    PrintStream utf8 = new PrintStream(out, false, StandardCharsets.UTF_8);
    Screen screen = new Screen(utf8, new Terminal()::size);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> restore(screen, utf8), "screen"));
    return new LiveView(screen, Glyphs.of(environment));
  }

  /** The process ends before the run does. */
  private static void restore(Screen screen, PrintStream out) {
    if (screen.leave()) {
      out.println("outbox demo: stopped early; its database was in memory and is gone");
      out.flush();
    }
  }
}
