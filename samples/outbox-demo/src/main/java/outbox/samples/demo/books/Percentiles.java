package outbox.samples.demo.books;

import java.time.Duration;
import java.util.Arrays;

/** How long half of them took at most, how long all but one in a hundred, and the slowest. */
public record Percentiles(int count, Duration p50, Duration p99, Duration max) {

  static Percentiles of(long[] nanos) {
    if (nanos.length == 0) {
      return new Percentiles(0, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Percentiles(
        sorted.length,
        at(sorted, 0.50),
        at(sorted, 0.99),
        Duration.ofNanos(sorted[sorted.length - 1]));
  }

  private static Duration at(long[] sorted, double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return Duration.ofNanos(sorted[Math.max(0, rank - 1)]);
  }
}
