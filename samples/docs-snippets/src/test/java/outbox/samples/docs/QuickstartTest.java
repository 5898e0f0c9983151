package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class QuickstartTest {

  @Test
  void readmeExampleDeliversItsEventAndEnds() throws SQLException {
    String printed = printedBy(() -> Quickstart.main(new String[0]));

    assertThat(printed.lines()).containsExactly("got {\"orderId\":42}");
  }

  private interface Program {
    void run() throws SQLException;
  }

  private static String printedBy(Program program) throws SQLException {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      program.run();
    } finally {
      System.setOut(console);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
