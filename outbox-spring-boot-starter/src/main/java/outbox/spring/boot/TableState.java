package outbox.spring.boot;

import java.time.Duration;
import java.util.List;
import outbox.spi.Backlog;
import outbox.spi.LeaseTable.RelayNode;

/**
 * How a table stands.
 *
 * @param isDelivered whether this application delivers from it
 * @param backlog counted up to a limit
 * @param clockDifference how far the database's clock is ahead of this machine's
 * @param nodes who leases its partitions; empty where none are leased
 */
record TableState(
    String table,
    boolean isDelivered,
    Backlog backlog,
    Duration clockDifference,
    List<RelayNode> nodes) {}
