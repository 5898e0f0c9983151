package outbox.spi;

import java.time.Duration;
import java.util.Map;

/**
 * Receives what the engine counts and measures; called from many threads, and must return fast.
 *
 * <p>It is told numbers and the names of event types: never ids, keys, tenants or payloads. What it
 * throws is logged and concerns no event. Methods that have a body here are told more than the
 * others, and an exporter may leave them.
 */
public interface MetricsExporter {

  /** Is told everything and keeps nothing. */
  MetricsExporter NOOP =
      new MetricsExporter() {
        @Override
        public void incrementHotEnqueued() {}

        @Override
        public void incrementHotDropped() {}

        @Override
        public void incrementColdEnqueued() {}

        @Override
        public void incrementDispatchSuccess() {}

        @Override
        public void incrementDispatchFailure() {}

        @Override
        public void incrementDispatchDead() {}

        @Override
        public void recordQueueDepths(int hotDepth, int coldDepth) {}

        @Override
        public void recordOldestLagMs(long lagMs) {}
      };

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

  /** Events of this type were written, and their transaction has committed. */
  default void recordWritten(String eventType, int count) {}

  /**
   * The row of an event says that it was delivered.
   *
   * @param latency since the event was committed, or fell due if it was held back; of one that came
   *     from the table, since it was inserted
   */
  default void recordDelivered(String eventType, Duration latency) {}

  /** The row of an event says that a try failed and there is another one. */
  default void recordFailed(String eventType) {}

  /** The row of an event says that it is DEAD. */
  default void recordDead(String eventType) {}

  /** How long a listener had an event; of a batch, how long it had the batch. */
  default void recordListenerTime(String eventType, boolean succeeded, Duration time) {}

  /** One transaction wrote what became of so many events. */
  default void recordCompletions(int count) {}

  /** How long it took to look for events and to hand over those that were found. */
  default void recordPoll(boolean succeeded, Duration time) {}

  /** This node lost the right to an event, or to all of its partitions, to other nodes. */
  default void incrementLostLeases() {}

  /** Whether this node delivers: it polls, or holds partitions where nodes share these. */
  default void recordLeader(boolean isLeader) {}

  /**
   * Which partitions this node holds, of so many.
   *
   * @param epochs the epoch of each that it holds, by number
   */
  default void recordPartitions(int partitions, Map<Integer, Long> epochs) {}
}
