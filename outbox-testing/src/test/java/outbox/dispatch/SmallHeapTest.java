package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class SmallHeapTest {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void backlogOfLargeEventsIsDeliveredInASmallHeap(boolean claims)
      throws IOException, InterruptedException {
    run("-Xmx128m", LargeBacklog.class, Boolean.toString(claims));
  }

  @Test
  void nothingIsRememberedByTypeAggregateOrTenant() throws IOException, InterruptedException {
    run("-Xmx48m", ManyNames.class, "");
  }

  private static void run(String heap, Class<?> main, String argument)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                argument)
            .redirectErrorStream(true)
            .start();

    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
  }
}
