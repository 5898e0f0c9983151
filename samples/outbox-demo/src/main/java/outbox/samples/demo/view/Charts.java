package outbox.samples.demo.view;

import java.util.ArrayList;
import java.util.List;
import outbox.samples.demo.story.Snapshot;

/** Throughput, latency and the hot queue, one line each. */
final class Charts {

  private static final int LABEL = 13;
  private static final int NUMBER = 18;
  private static final long LOWEST_PEAK = 500;

  private final Glyphs glyphs;

  Charts(Glyphs glyphs) {
    this.glyphs = glyphs;
  }

  /** The throughput gets as many lines as said. */
  List<Line> lines(Snapshot now, int width, int height) {
    int room = Math.max(8, width - LABEL - NUMBER);
    List<Line> lines = new ArrayList<>(throughput(now, room, height));
    lines.add(queue(now, room));
    lines.add(latency(now));
    return lines;
  }

  private List<Line> throughput(Snapshot now, int room, int height) {
    List<Long> rates = now.rates();
    List<Line> lines = new ArrayList<>();
    for (int row = height - 1; row > 0; row--) {
      lines.add(new Line().padTo(LABEL).add(Tint.GREEN, columns(rates, room, row, height)));
    }
    long current = rates.isEmpty() ? 0 : rates.get(rates.size() - 1);
    lines.add(
        label("throughput")
            .add(Tint.GREEN, columns(rates, room, 0, height))
            .padTo(LABEL + room)
            .add("  " + Units.count(current))
            .add(Tint.DIM, " events/s"));
    return lines;
  }

  /** One row of the columns. By the root: everyday traffic stays visible beside a burst. */
  private String columns(List<Long> rates, int room, int row, int height) {
    List<Long> shown = rates.subList(Math.max(0, rates.size() - room), rates.size());
    double peak = shown.stream().mapToLong(Long::longValue).reduce(LOWEST_PEAK, Math::max);
    StringBuilder columns = new StringBuilder();
    shown.forEach(rate -> columns.append(glyphs.level(Math.sqrt(rate / peak) * height - row, row)));
    return columns.toString();
  }

  private Line queue(Snapshot now, int room) {
    int capacity = now.queue().hotCapacity();
    int filled = (int) Math.ceil(room * (double) now.queue().hotDepth() / capacity);
    boolean isFull = now.queue().hotDepth() > capacity * 9 / 10;
    return label("hot queue")
        .add(isFull ? Tint.YELLOW : Tint.CYAN, glyphs.filled(filled))
        .add(Tint.DIM, glyphs.unfilled(room - filled))
        .add("  " + Units.count(now.queue().hotDepth()))
        .add(Tint.DIM, " of " + Units.count(capacity));
  }

  private Line latency(Snapshot now) {
    return label("latency")
        .add(Tint.DIM, "p50 ")
        .add(Units.latency(now.latency().p50()))
        .padTo(LABEL + 14)
        .add(Tint.DIM, "p99 ")
        .add(Units.latency(now.latency().p99()))
        .padTo(LABEL + 28)
        .add(Tint.DIM, "commit " + glyphs.arrow() + " listener, last 100 events");
  }

  private static Line label(String label) {
    return new Line().add(" ").add(Tint.DIM, label).padTo(LABEL);
  }
}
