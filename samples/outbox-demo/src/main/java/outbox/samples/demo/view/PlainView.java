package outbox.samples.demo.view;

import java.io.PrintStream;
import java.time.Duration;
import outbox.samples.demo.story.Moment;
import outbox.samples.demo.story.Snapshot;

/** One line for each moment, and every two seconds one with the numbers. */
final class PlainView implements View {

  private static final Duration STATUS_EVERY = Duration.ofSeconds(2);

  private final PrintStream out;
  private final Feed feed = new Feed(Glyphs.ASCII);
  private int told;
  private Duration nextStatus = STATUS_EVERY;

  PlainView(PrintStream out) {
    this.out = out;
  }

  @Override
  public Duration pace() {
    return Duration.ofMillis(100);
  }

  @Override
  public void show(Snapshot now) {
    for (Moment moment : now.moments().subList(told, now.moments().size())) {
      out.println(feed.line(moment));
      told++;
    }
    if (now.elapsed().compareTo(nextStatus) >= 0) {
      nextStatus = nextStatus.plus(STATUS_EVERY);
      out.printf(
          "%7s    written %s, delivered %s, pending %s, dead %s; p50 %s, p99 %s%n",
          Units.seconds(now.elapsed()),
          Units.count(now.table().total()),
          Units.count(now.deliveries().delivered()),
          Units.count(now.table().pending()),
          Units.count(now.table().dead()),
          Units.latency(now.latency().p50()),
          Units.latency(now.latency().p99()));
    }
    out.flush();
  }

  @Override
  public void end(Snapshot last, Summary summary) {
    show(last);
    summary.lines().forEach(out::println);
  }

  @Override
  public void close() {}
}
