package outbox.samples.demo.view;

import java.util.ArrayList;
import java.util.List;

/** A line of coloured text that knows how wide it is. */
final class Line {

  private record Span(Tint tint, String text) {}

  private final List<Span> spans = new ArrayList<>();
  private int width;

  Line add(String text) {
    return add(Tint.PLAIN, text);
  }

  Line add(Tint tint, String text) {
    spans.add(new Span(tint, text));
    width += text.length();
    return this;
  }

  Line add(Line other) {
    other.spans.forEach(span -> add(span.tint(), span.text()));
    return this;
  }

  /** Adds blanks up to this column. */
  Line padTo(int column) {
    return add(" ".repeat(Math.max(0, column - width)));
  }

  int width() {
    return width;
  }

  /** The line with its colours, cut off at this width. */
  String render(int mostColumns) {
    StringBuilder line = new StringBuilder();
    int room = mostColumns;
    for (Span span : spans) {
      String text = span.text().substring(0, Math.min(room, span.text().length()));
      line.append(span.tint().paint(text));
      room -= text.length();
    }
    return line.toString();
  }

  /** The line without colours. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder();
    spans.forEach(span -> line.append(span.text()));
    return line.toString();
  }
}
