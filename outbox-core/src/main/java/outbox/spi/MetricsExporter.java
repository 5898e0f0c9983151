package outbox.spi;

/** Receives what the engine counts and measures; called from many threads, and must return fast. */
public interface MetricsExporter {

  MetricsExporter NOOP = new NoMetrics();

  void incrementHotEnqueued();

  void incrementHotDropped();

  void incrementColdEnqueued();

  void incrementDispatchSuccess();

  /** A try failed and the event will be tried again. */
  void incrementDispatchFailure();

  void incrementDispatchDead();

  void recordQueueDepths(int hotDepth, int coldDepth);

  /** The age of the oldest event that a poll found waiting; 0 when it found none. */
  void recordOldestLagMs(long lagMs);
}
