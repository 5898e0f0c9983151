package outbox.samples.demo.view;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The alternate screen of a terminal. Only lines that changed are written, so that it does not
 * flicker; closing brings back the cursor and what was there before.
 */
final class Screen implements AutoCloseable {

  record Size(int rows, int columns) {}

  private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[2J";
  private static final String LEAVE = "\u001b[0m\u001b[?25h\u001b[?1049l";
  private static final String CLEAR = "\u001b[2J";

  private final PrintStream out;
  private final Supplier<Size> size;
  private List<String> shown = List.of();
  private Size shownSize = new Size(0, 0);
  private boolean closed;

  Screen(PrintStream out, Supplier<Size> size) {
    this.out = out;
    this.size = size;
    write(ENTER);
  }

  Size size() {
    return size.get();
  }

  synchronized void draw(List<Line> lines, Size size) {
    if (closed) {
      return;
    }
    StringBuilder frame = new StringBuilder();
    if (!size.equals(shownSize)) {
      frame.append(CLEAR);
      shown = List.of();
      shownSize = size;
    }
    List<String> next = new ArrayList<>();
    for (int row = 0; row < size.rows(); row++) {
      String line = row < lines.size() ? lines.get(row).render(size.columns()) : "";
      next.add(line);
      if (row >= shown.size() || !shown.get(row).equals(line)) {
        frame.append("\u001b[%d;1H%s\u001b[K".formatted(row + 1, line));
      }
    }
    shown = next;
    write(frame.append("\u001b[H").toString());
  }

  @Override
  public void close() {
    leave();
  }

  /** False if it was left before. */
  synchronized boolean leave() {
    if (closed) {
      return false;
    }
    closed = true;
    write(LEAVE);
    return true;
  }

  /** Adds lines to what was there before the screen was entered. */
  void print(List<Line> lines) {
    lines.forEach(line -> write(line.render(Integer.MAX_VALUE) + System.lineSeparator()));
  }

  private void write(String text) {
    out.print(text);
    out.flush();
  }
}
