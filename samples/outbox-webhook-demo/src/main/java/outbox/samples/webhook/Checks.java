package outbox.samples.webhook;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Says what is expected and whether it was found so. */
final class Checks {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final PrintStream out;
  private int failed;

  Checks(PrintStream out) {
    this.out = out;
  }

  void chapter(String title) {
    out.printf("%n%s%n", title);
  }

  void say(String text) {
    out.println("         " + text);
  }

  /** True now. */
  void holds(String claim, boolean isTrue) {
    out.printf("  %-6s %s%n", isTrue ? "ok" : "FAILED", claim);
    failed += isTrue ? 0 : 1;
  }

  /** True soon. */
  void comesTrue(String claim, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
      Thread.sleep(10);
    }
    holds(claim, condition.getAsBoolean());
  }

  boolean allHeld() {
    return failed == 0;
  }
}
