package outbox.samples.demo;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;

/** What the command line asks for. */
record DemoOptions(Duration duration, boolean plain, boolean help) {

  static final String USAGE =
      """
      Usage: ./outbox demo [options]

      A shop sells for some seconds on an embedded database: its transactions write
      orders and events together, and the outbox delivers the events through outages,
      a burst, a crash and a dead letter. Ends by itself with the books; exit code 0
      means that they balance.

      Options:
        --seconds N   how long the shop is open, 5 to 600; default 20
        --plain       lines instead of the live view; the default without a terminal,
                      with TERM=dumb, and with NO_COLOR set
        --help        show this text
      """;

  private static final int SHORTEST = 5;
  private static final int LONGEST = 600;
  private static final Duration DEFAULT = Duration.ofSeconds(20);

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException if it can't be understood
   */
  static DemoOptions parse(String... args) {
    DemoOptions options = new DemoOptions(DEFAULT, false, false);
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      options = options.with(rest.next(), rest);
    }
    return options;
  }

  private DemoOptions with(String option, Iterator<String> rest) {
    if (option.startsWith("--seconds=")) {
      return new DemoOptions(seconds(option.substring("--seconds=".length())), plain, help);
    }
    return switch (option) {
      case "--seconds" ->
          new DemoOptions(seconds(rest.hasNext() ? rest.next() : "nothing"), plain, help);
      case "--plain" -> new DemoOptions(duration, true, help);
      case "--help", "-h" -> new DemoOptions(duration, plain, true);
      default -> throw new IllegalArgumentException("unknown option: " + option);
    };
  }

  private static Duration seconds(String text) {
    if (text.matches("\\d{1,3}")) {
      int seconds = Integer.parseInt(text);
      if (seconds >= SHORTEST && seconds <= LONGEST) {
        return Duration.ofSeconds(seconds);
      }
    }
    throw new IllegalArgumentException(
        "--seconds must be a whole number from %d to %d, got: %s"
            .formatted(SHORTEST, LONGEST, text));
  }
}
