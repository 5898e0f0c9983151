package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

  private static final Instant NOW = Instant.parse("2030-01-31T12:00:00Z");

  @Test
  void readsSeconds() {
    assertThat(RetryAfter.parse("120", NOW)).contains(Duration.ofMinutes(2));
    assertThat(RetryAfter.parse(" 0 ", NOW)).contains(Duration.ZERO);
  }

  @Test
  void readsADate() {
    assertThat(RetryAfter.parse("Thu, 31 Jan 2030 12:02:00 GMT", NOW))
        .contains(Duration.ofMinutes(2));
    assertThat(RetryAfter.parse("Thu, 31 Jan 2030 11:00:00 GMT", NOW)).contains(Duration.ZERO);
  }

  @Test
  void neverIsAYearAtMost() {
    assertThat(RetryAfter.parse("999999999999999999", NOW)).contains(Duration.ofDays(365));
    assertThat(RetryAfter.parse("Fri, 31 Dec 9999 23:59:59 GMT", NOW))
        .contains(Duration.ofDays(365));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-1", "1.5", "9999999999999999999", "31 Jan 2030"})
  void whatIsNeitherIsNothing(String value) {
    assertThat(RetryAfter.parse(value, NOW)).isEmpty();
  }
}
