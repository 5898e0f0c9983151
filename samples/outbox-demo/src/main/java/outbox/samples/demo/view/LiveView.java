package outbox.samples.demo.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import outbox.samples.demo.story.Moment;
import outbox.samples.demo.story.Snapshot;

/** The whole run on one screen, redrawn four times a second. */
final class LiveView implements View {

  private static final int WIDEST = 108;
  private static final int TALL = 34;

  private final Screen screen;
  private final Glyphs glyphs;
  private final Diagram diagram;
  private final Charts charts;
  private final Feed feed;

  LiveView(Screen screen, Glyphs glyphs) {
    this.screen = screen;
    this.glyphs = glyphs;
    diagram = new Diagram(glyphs);
    charts = new Charts(glyphs);
    feed = new Feed(glyphs);
  }

  @Override
  public Duration pace() {
    return Duration.ofMillis(250);
  }

  @Override
  public void show(Snapshot now) {
    Screen.Size size = screen.size();
    screen.draw(lines(now, size), size);
  }

  List<Line> lines(Snapshot now, Screen.Size size) {
    int width = Math.min(size.columns() - 1, WIDEST);
    List<Line> lines = new ArrayList<>();
    lines.add(header(now, width));
    lines.add(progress(now, width));
    lines.add(new Line());
    lines.addAll(width < Diagram.NARROWEST ? numbers(now) : diagram.lines(now, width));
    lines.add(new Line());
    lines.addAll(charts.lines(now, width, size.rows() < TALL ? 1 : 4));
    lines.add(new Line());
    lines.add(new Line().add(" ").add(Tint.BOLD, now.caption()));
    lines.add(new Line());
    lines.addAll(moments(now.moments(), size.rows() - lines.size()));
    return lines.subList(0, Math.min(lines.size(), size.rows()));
  }

  private Line header(Snapshot now, int width) {
    String time = "%s of %d".formatted(Units.seconds(now.elapsed()), now.planned().toSeconds());
    return new Line()
        .add(" ")
        .add(Tint.BOLD, "outbox")
        .add(Tint.DIM, width < Diagram.NARROWEST ? "" : "  a shop on H2, plain JDBC, no framework")
        .padTo(width - time.length())
        .add(Tint.DIM, time);
  }

  private Line progress(Snapshot now, int width) {
    double share = Math.min(1.0, now.elapsed().toMillis() / (double) now.planned().toMillis());
    int done = (int) ((width - 1) * share);
    return new Line()
        .add(" ")
        .add(Tint.CYAN, glyphs.filled(done))
        .add(Tint.DIM, glyphs.unfilled(width - 1 - done));
  }

  private static List<Line> numbers(Snapshot now) {
    return List.of(
        new Line()
            .add(Tint.DIM, " orders     ")
            .add(
                "%s committed, %s rolled back"
                    .formatted(
                        Units.count(now.orders().committed()),
                        Units.count(now.orders().rolledBack()))),
        new Line()
            .add(Tint.DIM, " outbox     ")
            .add(
                "%s pending, %s dead, %s done"
                    .formatted(
                        Units.count(now.table().pending()),
                        Units.count(now.table().dead()),
                        Units.count(now.table().done()))));
  }

  /** The last ones that fit. */
  private List<Line> moments(List<Moment> moments, int room) {
    int first = Math.max(0, moments.size() - Math.max(0, room));
    return feed.lines(moments.subList(first, moments.size()));
  }

  /** What the screen showed is gone with it, so the moments are told once more. */
  @Override
  public void end(Snapshot last, Summary summary) {
    screen.close();
    screen.print(feed.lines(last.moments()));
    screen.print(summary.lines());
  }

  @Override
  public void close() {
    screen.close();
  }
}
