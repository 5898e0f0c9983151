package outbox;

import java.time.Duration;
import outbox.internal.Require;
import outbox.poller.OutboxPoller;
import outbox.util.Nullable;

/** Builds one of several outboxes that share a table. */
public final class MultiNodeBuilder extends RelayBuilder<MultiNodeBuilder> {

  private @Nullable String nodeId;
  private Duration lease = Duration.ofMinutes(1);

  MultiNodeBuilder() {}

  /** What claims are signed with, at most 128 characters; default: a name that is unique. */
  public MultiNodeBuilder nodeId(String nodeId) {
    this.nodeId = Require.notEmpty("nodeId", nodeId);
    return this;
  }

  /**
   * How long the events of a node that died stay with it; default one minute. A living node renews
   * its leases for as long as it works on an event.
   */
  public MultiNodeBuilder lease(Duration lease) {
    this.lease = Require.positive("lease", lease);
    return this;
  }

  @Override
  MultiNodeBuilder self() {
    return this;
  }

  @Override
  OutboxPoller.Builder claiming(OutboxPoller.Builder builder) {
    return nodeId == null ? builder.claimLocking(lease) : builder.claimLocking(nodeId, lease);
  }
}
