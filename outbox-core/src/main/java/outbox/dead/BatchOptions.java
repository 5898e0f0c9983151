package outbox.dead;

import java.util.Objects;
import java.util.function.Consumer;
import outbox.internal.Require;
import outbox.model.DeadQuery;

/**
 * How many events are replayed or discarded.
 *
 * @param batchSize the most in one transaction, up to {@value DeadQuery#MAX_LIMIT}
 * @param eventsPerSecond the most in a second; {@link #UNLIMITED} for as fast as the database can
 * @param dryRun count what matches, and change nothing
 * @param stop ends it half-way; so does an interrupt of the thread that does the work
 * @param onProgress is told after every batch and at the end; what it throws ends the run
 */
public record BatchOptions(
    int batchSize,
    int eventsPerSecond,
    boolean dryRun,
    StopSignal stop,
    Consumer<BatchProgress> onProgress) {

  /** No limit to the events per second. */
  public static final int UNLIMITED = 0;

  private static final int DEFAULT_BATCH = 100;

  public BatchOptions {
    Require.check(
        batchSize >= 1 && batchSize <= DeadQuery.MAX_LIMIT,
        "batchSize",
        "between 1 and " + DeadQuery.MAX_LIMIT,
        batchSize);
    Require.atLeast(0, "eventsPerSecond", eventsPerSecond);
    Objects.requireNonNull(stop, "stop must not be null");
    Objects.requireNonNull(onProgress, "onProgress must not be null");
  }

  /** Batches of a hundred, as fast as the database can. */
  public static BatchOptions defaults() {
    return new BatchOptions(DEFAULT_BATCH, UNLIMITED, false, new StopSignal(), progress -> {});
  }

  public BatchOptions withBatchSize(int batchSize) {
    return new BatchOptions(batchSize, eventsPerSecond, dryRun, stop, onProgress);
  }

  public BatchOptions withEventsPerSecond(int eventsPerSecond) {
    return new BatchOptions(batchSize, eventsPerSecond, dryRun, stop, onProgress);
  }

  public BatchOptions asDryRun() {
    return new BatchOptions(batchSize, eventsPerSecond, true, stop, onProgress);
  }

  public BatchOptions stoppedBy(StopSignal stop) {
    return new BatchOptions(batchSize, eventsPerSecond, dryRun, stop, onProgress);
  }

  public BatchOptions reportingTo(Consumer<BatchProgress> onProgress) {
    return new BatchOptions(batchSize, eventsPerSecond, dryRun, stop, onProgress);
  }
}
