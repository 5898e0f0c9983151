package outbox.samples.demo.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import outbox.samples.demo.books.Books;
import outbox.samples.demo.books.Books.Findings;
import outbox.samples.demo.books.Percentiles;

/** The books in words. */
public final class Summary {

  private final List<Line> lines = new ArrayList<>();

  public Summary(Books books, Percentiles quietTimes, Percentiles all, Duration elapsed) {
    blank();
    lines.add(new Line().add(Tint.BOLD, "  outbox demo, " + Units.seconds(elapsed)));
    blank();
    events(books);
    blank();
    latencies(quietTimes, all);
    blank();
    verdict(books);
  }

  List<Line> lines() {
    return lines;
  }

  private void events(Books books) {
    count("written", Tint.GREEN, books.written(), "events, each committed with its order");
    count(
        "delivered",
        Tint.GREEN,
        books.delivered(),
        "%s queued at their commit, %s found by the poller"
            .formatted(Units.count(books.fromMemory()), Units.count(books.fromDatabase())));
    count(
        "retried",
        Tint.YELLOW,
        books.retries(),
        "failed tries, of %s events".formatted(Units.count(books.retriedEvents())));
    count("dead", Tint.RED, books.dead(), "after its last try, with the reason in the table");
    count("replayed", Tint.CYAN, books.replayed(), "after the cause was repaired");
    count("rolled back", Tint.YELLOW, books.rolledBack(), "orders, whose events never appeared");
    count("duplicates", Tint.RED, books.duplicates(), "");
    count("lost", Tint.RED, books.lost(), "");
  }

  private void latencies(Percentiles quietTimes, Percentiles all) {
    lines.add(
        new Line()
            .add(
                Tint.DIM,
                "  %-34s%10s%10s%10s".formatted("commit to listener", "p50", "p99", "max")));
    latency("in quiet times, at the first try", quietTimes);
    latency("all, with outage, burst and replay", all);
  }

  private void verdict(Books books) {
    Findings findings = books.findings();
    if (books.balance()) {
      lines.add(
          new Line()
              .add(Tint.GREEN, "  The books balance")
              .add(
                  ": %s orders and %s events in the database, all DONE."
                      .formatted(Units.count(books.orders()), Units.count(books.written()))));
      return;
    }
    lines.add(new Line().add(Tint.RED, "  The books do not balance:"));
    finding(books.written() - findings.notDone(), "of " + books.written() + " events are DONE");
    finding(findings.ordersUnknown(), "orders have events but no row");
    finding(findings.ordersWithoutEvent(), "orders have no event");
    finding(findings.ordersNotAsCommitted(), "orders more or less than were committed");
    finding(findings.rolledBackOrdersFound(), "orders are there although they were rolled back");
    finding(findings.deliveredWithoutRow(), "events were delivered that are not in the table");
  }

  private void count(String label, Tint tint, long number, String explanation) {
    lines.add(
        new Line()
            .add("  %-13s".formatted(label))
            .add(number == 0 ? Tint.PLAIN : tint, "%8s".formatted(Units.count(number)))
            .add(Tint.DIM, explanation.isEmpty() ? "" : "   " + explanation));
  }

  private void latency(String label, Percentiles latency) {
    lines.add(
        new Line()
            .add(
                "  %-34s%10s%10s%10s"
                    .formatted(
                        label,
                        Units.latency(latency.p50()),
                        Units.latency(latency.p99()),
                        Units.latency(latency.max()))));
  }

  private void finding(long number, String text) {
    lines.add(new Line().add("    %s %s".formatted(Units.count(number), text)));
  }

  private void blank() {
    lines.add(new Line());
  }
}
