package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ExponentialBackoffRetryPolicyTest {

  private static final int SAMPLES = 2000;

  private static LongStream delays(RetryPolicy policy, int attempts) {
    return LongStream.range(0, SAMPLES).map(i -> policy.computeDelayMs(attempts));
  }

  @Test
  void delayDoublesWithinItsSpread() {
    RetryPolicy policy = new ExponentialBackoffRetryPolicy(200, 60_000);

    for (int attempts = 1; attempts <= 8; attempts++) {
      long middle = 200L << (attempts - 1);
      assertThat(delays(policy, attempts))
          .allMatch(delay -> delay >= middle / 2 && delay <= middle * 3 / 2);
    }
  }

  @Test
  void delayNeverExceedsOneAndAHalfTimesTheMaximum() {
    RetryPolicy policy = new ExponentialBackoffRetryPolicy(200, 60_000);

    for (int attempts : new int[] {10, 11, 31, 32, 33, 63, 64, 65, 1000, Integer.MAX_VALUE}) {
      assertThat(delays(policy, attempts)).allMatch(delay -> delay >= 30_000 && delay <= 90_000);
    }
  }

  @Test
  void delaysAreSpread() {
    RetryPolicy policy = new ExponentialBackoffRetryPolicy(1000, 60_000);

    assertThat(delays(policy, 1).distinct().count()).isGreaterThan(100);
    assertThat(delays(policy, 1).average().orElseThrow()).isBetween(900.0, 1100.0);
  }

  @Test
  void withoutAttemptsOrBaseThereIsNoDelay() {
    assertThat(new ExponentialBackoffRetryPolicy(200, 60_000).computeDelayMs(0)).isZero();
    assertThat(new ExponentialBackoffRetryPolicy(200, 60_000).computeDelayMs(-1)).isZero();
    assertThat(new ExponentialBackoffRetryPolicy(0, 60_000).computeDelayMs(5)).isZero();
    assertThat(new ExponentialBackoffRetryPolicy(200, 0).computeDelayMs(5)).isZero();
  }

  @Test
  void smallAndLargeNumbersStayPositive() {
    assertThat(delays(new ExponentialBackoffRetryPolicy(1, 1), 1)).allMatch(delay -> delay == 1);
    assertThat(delays(new ExponentialBackoffRetryPolicy(Long.MAX_VALUE, Long.MAX_VALUE), 50))
        .allMatch(delay -> delay > 0);
    assertThat(delays(new ExponentialBackoffRetryPolicy(5000, 100), 1))
        .allMatch(delay -> delay >= 50 && delay <= 150);
  }

  @Test
  void negativeDelaysAreRefused() {
    assertThatThrownBy(() -> new ExponentialBackoffRetryPolicy(-1, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("baseDelayMs");
    assertThatThrownBy(() -> new ExponentialBackoffRetryPolicy(10, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxDelayMs");
  }
}
