package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class ExponentialBackoffRetryPolicyProperties {

  private static final BigDecimal ROUNDING = new BigDecimal("1.000001");

  @Property(tries = 1000)
  void delayIsHalfToOneAndAHalfTimesTheDoubledBase(
      @ForAll @LongRange(max = Long.MAX_VALUE) long base,
      @ForAll @LongRange(max = Long.MAX_VALUE) long most,
      @ForAll @IntRange(min = 1) int attempts) {
    long delay = new ExponentialBackoffRetryPolicy(base, most).computeDelayMs(attempts);

    if (base == 0 || most == 0) {
      assertThat(delay).isZero();
    } else {
      BigDecimal exact = new BigDecimal(exact(base, most, attempts));
      BigDecimal highest = exact.multiply(new BigDecimal("1.5")).multiply(ROUNDING);
      BigDecimal lowest =
          exact.divide(new BigDecimal("2").multiply(ROUNDING), 3, RoundingMode.DOWN);
      assertThat(delay).isPositive();
      assertThat(BigDecimal.valueOf(delay))
          .isLessThanOrEqualTo(highest.max(BigDecimal.ONE))
          .isGreaterThanOrEqualTo(
              lowest.subtract(BigDecimal.ONE).min(BigDecimal.valueOf(Long.MAX_VALUE)));
    }
  }

  @Property
  void beforeTheFirstTryThereIsNoDelay(
      @ForAll @LongRange(max = Long.MAX_VALUE) long base,
      @ForAll @IntRange(min = Integer.MIN_VALUE, max = 0) int attempts) {
    assertThat(new ExponentialBackoffRetryPolicy(base, base).computeDelayMs(attempts)).isZero();
  }

  private static BigInteger exact(long base, long most, int attempts) {
    BigInteger limit = BigInteger.valueOf(most);
    return attempts > 63 ? limit : BigInteger.valueOf(base).shiftLeft(attempts - 1).min(limit);
  }
}
