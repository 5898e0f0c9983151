package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClaimTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  @Test
  void claimExpiresAfterItsTimeoutWhateverTheWallClockSays() {
    assertThat(Claim.starting("node", NOW, Duration.ofHours(1)).isExpired()).isFalse();

    Claim brief = Claim.starting("node", NOW, Duration.ofMillis(5));
    await().until(brief::isExpired);
  }

  @Test
  void timeoutOfACenturyIsAccepted() {
    assertThat(Claim.starting("node", NOW, Duration.ofDays(36_500)).isExpired()).isFalse();
  }

  @Test
  void ownerMustBeThere() {
    assertThatThrownBy(() -> Claim.starting("", NOW, Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Claim.starting("node", null, Duration.ofHours(1)))
        .isInstanceOf(NullPointerException.class);
  }
}
