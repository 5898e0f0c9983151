package outbox.samples.demo.view;

import java.util.ArrayList;
import java.util.List;

/** A titled box of labels and numbers. */
final class Box {

  private record Row(String label, Tint tint, long number) {}

  private final String title;
  private final List<Row> rows = new ArrayList<>();

  Box(String title) {
    this.title = title;
  }

  /** The number is coloured as soon as it isn't zero. */
  Box row(String label, Tint tint, long number) {
    rows.add(new Row(label, number == 0 ? Tint.PLAIN : tint, number));
    return this;
  }

  List<Line> lines(int width, Glyphs glyphs) {
    String rule = String.valueOf(glyphs.box(4));
    List<Line> lines = new ArrayList<>();
    lines.add(
        new Line()
            .add(Tint.DIM, glyphs.box(0) + " ")
            .add(Tint.BOLD, title)
            .add(Tint.DIM, " " + rule.repeat(width - title.length() - 4) + glyphs.box(1)));
    rows.forEach(row -> lines.add(line(row, width, glyphs.box(5))));
    lines.add(new Line().add(Tint.DIM, glyphs.box(2) + rule.repeat(width - 2) + glyphs.box(3)));
    return lines;
  }

  private static Line line(Row row, int width, char border) {
    String number = Units.count(row.number());
    int room = Math.max(0, width - number.length() - 5);
    return new Line()
        .add(Tint.DIM, border + " ")
        .add(row.label().substring(0, Math.min(room, row.label().length())))
        .padTo(width - 2 - number.length())
        .add(row.tint(), number)
        .add(Tint.DIM, " " + border);
  }
}
