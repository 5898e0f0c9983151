package outbox.samples.demo.view;

import java.util.ArrayList;
import java.util.List;
import outbox.samples.demo.story.Snapshot;

/** The way of an event, from the order through the table to the listener. */
final class Diagram {

  /** With less than this there is no room for three boxes. */
  static final int NARROWEST = 72;

  private static final int WIDEST_BOX = 26;
  private static final int SHORTEST_ARROWS = 10;

  /** The margin, and one blank on either side of each arrow. */
  private static final int BLANKS = 5;

  private final Glyphs glyphs;
  private int step;
  private long lastHot;
  private long lastCold;

  Diagram(Glyphs glyphs) {
    this.glyphs = glyphs;
  }

  /** One step further than the last time: what flows, moves. */
  List<Line> lines(Snapshot now, int width) {
    step++;
    int boxWidth = Math.min(WIDEST_BOX, (width - BLANKS - SHORTEST_ARROWS) / 3);
    int arrows = width - BLANKS - 3 * boxWidth;
    int writeArrow = arrows * 2 / 5;
    List<Line> orders = orders(now).lines(boxWidth, glyphs);
    List<Line> table = table(now).lines(boxWidth, glyphs);
    List<Line> listeners = listeners(now).lines(boxWidth, glyphs);
    List<Line> lines = new ArrayList<>();
    for (int row = 0; row < table.size(); row++) {
      lines.add(
          new Line()
              .add(" ")
              .add(orders.get(row))
              .add(writing(row, writeArrow))
              .add(table.get(row))
              .add(delivering(row, arrows - writeArrow, now))
              .add(listeners.get(row)));
    }
    lastHot = now.queue().hot();
    lastCold = now.queue().cold();
    return lines;
  }

  private static Box orders(Snapshot now) {
    return new Box("orders")
        .row("placed", Tint.PLAIN, now.orders().committed() + now.orders().rolledBack())
        .row("rolled back", Tint.YELLOW, now.orders().rolledBack())
        .row("committed", Tint.GREEN, now.orders().committed())
        .row("events", Tint.GREEN, now.table().total());
  }

  private static Box table(Snapshot now) {
    return new Box("outbox table")
        .row("new", Tint.CYAN, now.table().waiting())
        .row("retry", Tint.YELLOW, now.table().toRetry())
        .row("dead", Tint.RED, now.table().dead())
        .row("done", Tint.GREEN, now.table().done());
  }

  private static Box listeners(Snapshot now) {
    return new Box("listeners")
        .row("delivered", Tint.GREEN, now.deliveries().delivered())
        .row("failed", Tint.YELLOW, now.deliveries().failedTries())
        .row("replayed", Tint.CYAN, now.deliveries().replayed())
        .row("duplicates", Tint.RED, now.deliveries().duplicates());
  }

  private Line writing(int row, int length) {
    return row == 2
        ? new Line().add(" ").add(Tint.CYAN, glyphs.flow(length, step)).add(" ")
        : new Line().padTo(length + 2);
  }

  private Line delivering(int row, int length, Snapshot now) {
    Line line = new Line().add(" ");
    switch (row) {
      case 1 -> line.add(Tint.DIM, "hot");
      case 2 -> line.add(Tint.CYAN, flow(length, now.queue().hot() > lastHot));
      case 3 -> line.add(Tint.DIM, "poller");
      case 4 -> line.add(Tint.BLUE, flow(length, now.queue().cold() > lastCold));
      default -> {}
    }
    return line.padTo(length + 2);
  }

  private String flow(int length, boolean isFlowing) {
    return glyphs.flow(length, isFlowing ? step : -1);
  }
}
