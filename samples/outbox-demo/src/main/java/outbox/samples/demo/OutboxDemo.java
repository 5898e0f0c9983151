package outbox.samples.demo;

import java.io.PrintStream;
import java.util.Locale;
import outbox.samples.demo.books.Books;
import outbox.samples.demo.shop.Shop;
import outbox.samples.demo.story.Monitor;
import outbox.samples.demo.story.Story;
import outbox.samples.demo.story.Timeline;
import outbox.samples.demo.view.Summary;
import outbox.samples.demo.view.View;
import outbox.samples.demo.view.Views;

/** Runs the shop, shows it, and ends with the books. */
public final class OutboxDemo {

  private static final int BALANCED = 0;
  private static final int UNBALANCED = 1;
  private static final int MISUSED = 2;

  private final DemoOptions options;
  private final PrintStream out;
  private final LibraryLog log = new LibraryLog().install();

  private OutboxDemo(DemoOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT); // one way to write numbers, whatever the language
    System.exit(run(System.out, System.err, args));
  }

  /** Returns the exit code. */
  static int run(PrintStream out, PrintStream err, String... args) throws Exception {
    DemoOptions options;
    try {
      options = DemoOptions.parse(args);
    } catch (IllegalArgumentException e) {
      err.println("outbox demo: " + e.getMessage() + "; see ./outbox demo --help");
      return MISUSED;
    }
    if (options.help()) {
      out.print(DemoOptions.USAGE);
      return BALANCED;
    }
    return new OutboxDemo(options, out).run();
  }

  private int run() throws Exception {
    try (Shop shop = new Shop()) {
      Books books = show(shop, new Timeline(options.duration()));
      if (books.balance()) {
        return BALANCED;
      }
      log.records().forEach(out::println);
      return UNBALANCED;
    }
  }

  private Books show(Shop shop, Timeline timeline) throws Exception {
    Monitor monitor = new Monitor(shop, timeline);
    boolean isLive = !options.plain() && Views.isInteractive();
    try (View view = isLive ? Views.live(out) : Views.plain(out);
        Refresh refresh = new Refresh(monitor, view)) {
      Books books = new Story(shop, timeline, monitor).tell();
      refresh.finish();
      view.end(monitor.snapshot(), summary(books, shop, timeline));
      return books;
    }
  }

  private static Summary summary(Books books, Shop shop, Timeline timeline) {
    return new Summary(
        books, shop.ledger().quietLatency(), shop.ledger().latency(), timeline.elapsed());
  }
}
