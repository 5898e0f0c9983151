package outbox.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars as an SVG that follows the reader's light or dark scheme.
 *
 * @param title what is compared
 * @param bars in the order of drawing; the one to stand out is marked
 */
record BarChart(String title, List<Bar> bars) {

  /** One bar with the text that stands behind it. */
  record Bar(String label, double value, String text, boolean own) {}

  private static final int WIDTH = 720;
  private static final int LABELS = 170;
  private static final int TEXTS = 190;
  private static final int TOP = 44;
  private static final int STEP = 30;
  private static final int THICKNESS = 18;
  private static final int BOTTOM = 12;

  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f; }
        .title { font-size: 15px; font-weight: 600; }
        .axis { stroke: #8c959f; }
        .bar { fill: #8c959f; }
        .own { fill: #0969da; }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3; }
          .axis { stroke: #6e7681; }
          .bar { fill: #6e7681; }
          .own { fill: #4493f8; }
        }
      </style>
      """;

  String svg() {
    int height = TOP + bars.size() * STEP + BOTTOM;
    double longest = bars.stream().mapToDouble(Bar::value).max().orElse(1);
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img" aria-label="%3$s">
        """
            .formatted(WIDTH, height, escaped(title)));
    svg.append(STYLE);
    svg.append("<text class=\"title\" x=\"0\" y=\"20\">%s</text>\n".formatted(escaped(title)));
    for (int i = 0; i < bars.size(); i++) {
      draw(svg, bars.get(i), TOP + i * STEP, longest);
    }
    svg.append(
        "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n"
            .formatted(LABELS, TOP - 6, LABELS, height - BOTTOM));
    return svg.append("</svg>\n").toString();
  }

  private static void draw(StringBuilder svg, Bar bar, int top, double longest) {
    double room = WIDTH - LABELS - TEXTS;
    double length = longest > 0 ? Math.max(1, bar.value() / longest * room) : 1;
    int baseline = top + THICKNESS - 4;
    svg.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n"
            .formatted(LABELS - 10, baseline, escaped(bar.label())));
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>\n",
            bar.own() ? "own" : "bar",
            LABELS,
            top,
            length,
            THICKNESS));
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%d\">%s</text>\n",
            LABELS + length + 8,
            baseline,
            escaped(bar.text())));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
