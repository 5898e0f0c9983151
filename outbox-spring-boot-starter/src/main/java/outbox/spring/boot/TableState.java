package outbox.spring.boot;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import outbox.spi.Backlog;
import outbox.spi.LeaseTable.RelayNode;

/**
 * How a table stands, as far as its store can tell.
 *
 * @param isDelivered whether this application delivers from it; empty if that is not known
 * @param backlog counted up to a limit
 * @param clockDifference how far the database's clock is ahead of this machine's, where there is a
 *     backlog to tell it by
 * @param nodes who leases its partitions, where they are leased
 * @param unknown what the store can't tell, and why
 */
record TableState(
    String table,
    Optional<Boolean> isDelivered,
    Optional<Backlog> backlog,
    Duration clockDifference,
    Optional<List<RelayNode>> nodes,
    List<String> unknown) {}
