package outbox.samples.demo.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.samples.demo.books.Percentiles;
import outbox.samples.demo.books.TableCounts;
import outbox.samples.demo.story.Moment;
import outbox.samples.demo.story.Snapshot;
import outbox.samples.demo.story.Tone;

class LiveViewTest {

  private static final String ENTER = "\u001b[?1049h\u001b[?25l";
  private static final String LEAVE = "\u001b[?25h\u001b[?1049l";

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(written, true, UTF_8);

  @ParameterizedTest
  @CsvSource({"24,80", "40,120", "10,40", "3,20", "60,300"})
  void fitsTheWindow(int rows, int columns) {
    Screen.Size size = new Screen.Size(rows, columns);
    LiveView view = new LiveView(new Screen(out, () -> size), Glyphs.UNICODE);

    List<Line> lines = view.lines(snapshot(), size);

    assertThat(lines).hasSizeLessThanOrEqualTo(rows);
    assertThat(lines)
        .allSatisfy(
            line -> assertThat(visible(line.render(columns))).hasSizeLessThanOrEqualTo(columns));
  }

  @Test
  void keepsTheBoxesInLineWhateverTheNumbers() {
    Screen.Size size = new Screen.Size(24, 80);
    LiveView view = new LiveView(new Screen(out, () -> size), Glyphs.UNICODE);

    List<Line> diagram = view.lines(snapshot(), size).subList(3, 9);

    assertThat(diagram).extracting(Line::width).containsOnly(79);
    assertThat(diagram.get(1).toString()).contains("1,234,567", "hot");
  }

  @Test
  void drawsWithAsciiWhereTheLocaleHasNoUnicode() {
    Screen.Size size = new Screen.Size(24, 80);
    LiveView view = new LiveView(new Screen(out, () -> size), Glyphs.ASCII);

    view.show(snapshot());

    assertThat(written.toString(UTF_8)).matches("\\p{ASCII}+").contains("orders", "-o");
  }

  @Test
  void leavesTheTerminalAsItWas() {
    Screen screen = new Screen(out, () -> new Screen.Size(24, 80));
    LiveView view = new LiveView(screen, Glyphs.UNICODE);
    view.show(snapshot());

    view.close();
    view.close();
    view.show(snapshot());

    assertThat(written.toString(UTF_8)).startsWith(ENTER).endsWith(LEAVE).containsOnlyOnce(LEAVE);
  }

  @Test
  void writesOnlyWhatChanged() {
    Screen.Size size = new Screen.Size(24, 80);
    Screen screen = new Screen(out, () -> size);
    screen.draw(List.of(new Line().add("same"), new Line().add("old")), size);
    written.reset();

    screen.draw(List.of(new Line().add("same"), new Line().add("new")), size);

    assertThat(written.toString(UTF_8)).contains("new").doesNotContain("same");
  }

  private static String visible(String line) {
    return line.replaceAll("\u001b\\[[0-9;]*m", "");
  }

  private static Snapshot snapshot() {
    Duration elapsed = Duration.ofMillis(12_345);
    return new Snapshot(
        elapsed,
        Duration.ofSeconds(20),
        "A caption that says what is going on.",
        new Snapshot.OrderCounts(1_234_000, 567),
        new TableCounts(12, 3, 1, 1_233_984),
        new Snapshot.DeliveryCounts(1_233_984, 77, 1, 0),
        new Snapshot.QueueCounts(150, 300, 1000, 500),
        LongStream.range(0, 200).boxed().toList(),
        new Percentiles(
            100, Duration.ofNanos(150_000), Duration.ofMillis(3), Duration.ofSeconds(1)),
        List.of(
            new Moment(elapsed, Tone.BAD, "DEAD: InvoiceRequested of ORD-1, after 5 tries"),
            new Moment(
                elapsed, Tone.DETAIL, "java.io.IOException: invoicing: connection refused")));
  }
}
