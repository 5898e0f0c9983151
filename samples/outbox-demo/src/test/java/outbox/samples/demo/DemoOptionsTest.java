package outbox.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoOptionsTest {

  @Test
  void runsForTwentySecondsUnlessTold() {
    assertThat(DemoOptions.parse())
        .isEqualTo(new DemoOptions(Duration.ofSeconds(20), false, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--seconds 60 --plain", "--plain --seconds=60"})
  void takesOptionsInAnyOrderAndForm(String line) {
    assertThat(DemoOptions.parse(line.split(" ")))
        .isEqualTo(new DemoOptions(Duration.ofSeconds(60), true, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--seconds", "--seconds 4", "--seconds=601", "--seconds ten"})
  void namesTheLimitsOfSeconds(String line) {
    assertThatThrownBy(() -> DemoOptions.parse(line.split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--seconds must be a whole number from 5 to 600, got: ");
  }
}
