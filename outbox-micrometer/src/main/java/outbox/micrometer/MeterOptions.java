package outbox.micrometer;

import java.util.List;

/**
 * How much the tagged meters of a table tell.
 *
 * @param maxEventTypes how many event types have meters of their own; those that come later share
 *     the meters of the type {@value #OTHER_TYPES}. Default 100
 * @param percentiles which percentiles of times are computed in this process, each between 0 and 1,
 *     for registries that can't compute them from buckets; default 0.5, 0.95 and 0.99. Buckets are
 *     there in any case
 */
public record MeterOptions(int maxEventTypes, List<Double> percentiles) {

  /** What event types beyond the limit are called. */
  public static final String OTHER_TYPES = "other";

  private static final MeterOptions DEFAULTS = new MeterOptions(100, List.of(0.5, 0.95, 0.99));

  public MeterOptions {
    if (maxEventTypes < 0) {
      throw new IllegalArgumentException("maxEventTypes must be at least 0, got: " + maxEventTypes);
    }
    percentiles = List.copyOf(percentiles);
    percentiles.stream()
        .filter(percentile -> !(percentile >= 0 && percentile <= 1))
        .findFirst()
        .ifPresent(
            percentile -> {
              throw new IllegalArgumentException(
                  "percentiles must be between 0 and 1, got: " + percentile);
            });
  }

  public static MeterOptions defaults() {
    return DEFAULTS;
  }

  /** The same with another limit. */
  public MeterOptions withMaxEventTypes(int maxEventTypes) {
    return new MeterOptions(maxEventTypes, percentiles);
  }

  /** The same with other percentiles; none leaves the buckets alone. */
  public MeterOptions withPercentiles(List<Double> percentiles) {
    return new MeterOptions(maxEventTypes, percentiles);
  }
}
