package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ClaimTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2030-01-02T03:04:05Z"), ZoneOffset.UTC);

  @Test
  void claimExpiresAfterItsTimeoutWhateverTheWallClockSays() {
    assertThat(Claim.starting("node", CLOCK, Duration.ofHours(1)).isExpired()).isFalse();

    Claim brief = Claim.starting("node", CLOCK, Duration.ofMillis(5));
    await().atMost(Duration.ofMinutes(1)).until(brief::isExpired);
  }

  @Test
  void timeoutOfACenturyIsAccepted() {
    assertThat(Claim.starting("node", CLOCK, Duration.ofDays(36_500)).isExpired()).isFalse();
  }

  @Test
  void ownerMustBeThere() {
    assertThatThrownBy(() -> Claim.starting("", CLOCK, Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Claim.starting("node", null, Duration.ofHours(1)))
        .isInstanceOf(NullPointerException.class);
  }
}
