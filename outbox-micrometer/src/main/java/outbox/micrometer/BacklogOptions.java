package outbox.micrometer;

import java.time.Duration;
import java.util.Objects;

/**
 * How often the backlog of a table is read, and how far it is counted.
 *
 * @param interval the pause between two reads; default 15 seconds
 * @param countLimit where counting stops, so that a long backlog doesn't make it slow; default
 *     10,000
 */
public record BacklogOptions(Duration interval, int countLimit) {

  private static final BacklogOptions DEFAULTS = new BacklogOptions(Duration.ofSeconds(15), 10_000);

  public BacklogOptions {
    Objects.requireNonNull(interval, "interval must not be null");
    if (interval.isZero() || interval.isNegative()) {
      throw new IllegalArgumentException("interval must be positive, got: " + interval);
    }
    if (countLimit < 1) {
      throw new IllegalArgumentException("countLimit must be at least 1, got: " + countLimit);
    }
  }

  public static BacklogOptions defaults() {
    return DEFAULTS;
  }

  /** The same with another pause. */
  public BacklogOptions withInterval(Duration interval) {
    return new BacklogOptions(interval, countLimit);
  }

  /** The same with another limit. */
  public BacklogOptions withCountLimit(int countLimit) {
    return new BacklogOptions(interval, countLimit);
  }
}
