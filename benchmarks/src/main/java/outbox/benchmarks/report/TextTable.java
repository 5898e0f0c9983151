package outbox.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The report as a table for the terminal. */
public final class TextTable {

  private static final List<String> HEAD =
      List.of("#", "measurement", "contender", "value", "ratio", "bar", "verdict");
  private static final int WIDEST = 46;

  private TextTable() {}

  public static String of(List<Line> lines) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    lines.forEach(line -> rows.add(cells(line)));
    int[] widths =
        IntStream.range(0, HEAD.size())
            .map(column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toArray();
    StringBuilder table = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder text = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        text.append(padded(row.get(column), widths[column], isNumber(column))).append("  ");
      }
      table.append(text.toString().stripTrailing()).append('\n');
    }
    return table.toString();
  }

  private static List<String> cells(Line line) {
    return List.of(
        line.measurement(),
        shortened(line.what()),
        line.contender(),
        line.value(),
        line.ratioText(),
        line.bar(),
        line.verdict().title());
  }

  private static boolean isNumber(int column) {
    return column == 3 || column == 4;
  }

  private static String padded(String text, int width, boolean right) {
    String space = " ".repeat(width - text.length());
    return right ? space + text : text + space;
  }

  private static String shortened(String text) {
    return text.length() <= WIDEST ? text : text.substring(0, WIDEST - 1) + "…";
  }
}
