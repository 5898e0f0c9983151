package outbox.samples.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class WebhookDemoTest {

  @Test
  void findsEverythingAsItShouldBe() throws Exception {
    ByteArrayOutputStream told = new ByteArrayOutputStream();

    boolean allHeld = WebhookDemo.run(new PrintStream(told, true, UTF_8));

    assertThat(told.toString(UTF_8)).doesNotContain("FAILED").endsWith("All as it should be.\n");
    assertThat(allHeld).isTrue();
  }
}
