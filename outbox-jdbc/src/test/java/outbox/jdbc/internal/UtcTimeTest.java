package outbox.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UtcTimeTest {

  @ParameterizedTest
  @CsvSource({
    "2026-01-02T03:04:05Z, 2026-01-02 03:04:05.000000",
    "2026-01-02T03:04:05.000005Z, 2026-01-02 03:04:05.000005",
    "2026-01-02T00:00:00.000123Z, 2026-01-02 00:00:00.000123",
    "2026-11-12T13:14:15.120000Z, 2026-11-12 13:14:15.120000",
    "2026-12-31T23:59:59.999999999Z, 2026-12-31 23:59:59.999999"
  })
  void textHasAllDigitsOfADateTimeWithMicroseconds(String time, String text) {
    assertThat(UtcTime.text(Instant.parse(time))).isEqualTo(text);
  }
}
