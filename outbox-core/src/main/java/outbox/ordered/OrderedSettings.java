package outbox.ordered;

import java.time.Duration;
import java.util.Objects;
import outbox.internal.Require;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventFilter;
import outbox.spi.MetricsExporter;
import outbox.spi.NodeSession;
import outbox.spi.OutboxStore;
import outbox.util.JsonCodec;

/** Everything an ordered relay needs to know, checked once. */
record OrderedSettings(
    ConnectionProvider connections,
    OutboxStore store,
    String relay,
    String nodeId,
    Duration lease,
    LaneSettings lanes,
    int batchSize,
    Duration interval,
    Duration sweepInterval,
    EventFilter filter,
    JsonCodec jsonCodec,
    MetricsExporter metrics) {

  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

  OrderedSettings {
    Require.atLeast(1, "batchSize", batchSize);
    Require.positive("interval", interval);
    Require.positive("sweepInterval", sweepInterval);
    Objects.requireNonNull(filter, "filter must not be null");
    Objects.requireNonNull(jsonCodec, "jsonCodec must not be null");
    Objects.requireNonNull(metrics, "metrics must not be null");
    Require.check(
        lease.compareTo(SHORTEST_LEASE) >= 0, "lease", "at least " + SHORTEST_LEASE, lease);
    NodeSession.check(relay, nodeId, lanes.partitions());
  }

  /** A session that has never been. */
  NodeSession newSession(String id) {
    return new NodeSession(relay, id, nodeId, lanes.partitions(), lease);
  }

  /** For the log line at the start. */
  String describe() {
    return "store=%s relay=%s node=%s partitions=%d lease=%s onDead=%s batchSize=%d interval=%s"
        .formatted(
            store.getClass().getSimpleName(),
            relay,
            nodeId,
            lanes.partitions(),
            lease,
            lanes.onDead(),
            batchSize,
            interval);
  }
}
