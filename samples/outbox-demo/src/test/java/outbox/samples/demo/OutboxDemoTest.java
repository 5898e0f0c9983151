package outbox.samples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class OutboxDemoTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void tellsItsStoryAndBalancesItsBooks() throws Exception {
    int exitCode = run("--plain", "--seconds", "5");

    assertThat(out.toString(UTF_8))
        .contains("payment declined, order and event roll back together")
        .contains("its process dies before the commit, 0 rows remain")
        .containsPattern("DEAD: InvoiceRequested of ORD-\\d+, after 5 tries")
        .contains("java.io.IOException: invoicing: connection refused")
        .contains("the warehouse is back")
        .contains("hot queue full")
        .contains("the poller found them in the table")
        .contains("the invoice is delivered")
        .contains("The books balance")
        .doesNotContain("not yet", "\u001b");
    assertThat(number("written")).isGreaterThan(1200).isEqualTo(number("delivered"));
    assertThat(number("retried")).isPositive();
    assertThat(number("rolled back")).isPositive();
    assertThat(number("dead")).isEqualTo(1);
    assertThat(number("replayed")).isEqualTo(1);
    assertThat(number("duplicates")).isZero();
    assertThat(number("lost")).isZero();
    assertThat(exitCode).isZero();
  }

  @Test
  void explainsItsOptions() throws Exception {
    int exitCode = run("--help");

    assertThat(out.toString(UTF_8)).contains("--seconds N", "--plain");
    assertThat(exitCode).isZero();
  }

  @Test
  void refusesWhatItDoesNotUnderstand() throws Exception {
    int exitCode = run("--fast");

    assertThat(err.toString(UTF_8)).contains("unknown option: --fast");
    assertThat(exitCode).isEqualTo(2);
  }

  private int run(String... args) throws Exception {
    return OutboxDemo.run(
        new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), args);
  }

  /** The number behind this word in the summary. */
  private int number(String word) {
    Matcher line =
        Pattern.compile("(?m)^  " + word + " +([\\d,]+)( |$)").matcher(out.toString(UTF_8));
    assertThat(line.find()).as("line of %s", word).isTrue();
    return Integer.parseInt(line.group(1).replace(",", ""));
  }
}
