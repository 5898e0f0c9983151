package outbox.testing;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import outbox.EventEnvelope;
import outbox.model.EventKey;
import outbox.spi.EventFilter;
import outbox.spi.LeaseTable;
import outbox.spi.LeaseTable.RelayView;
import outbox.spi.NodeSession;
import outbox.spi.OrderedPage;
import outbox.spi.OrderedScan;
import outbox.spi.OrderedStore;
import outbox.spi.PartitionLease;

/** An ordered store under test, used as the engine does: each call committed. */
abstract class OrderedContract {

  static final Duration LONG = Duration.ofMinutes(5);

  /** Over before the next statement. */
  static final Duration SHORT = Duration.ofNanos(1000);

  /** Each test has its own, so that nobody's leases are in its way. */
  final String relay = "relay-" + UUID.randomUUID();

  @SuppressWarnings("NullAway.Init")
  StoreSession session;

  /** The store under test and how to reach its table; asked for once per test. */
  protected abstract StoreFixture fixture();

  /** Something to do on a connection. */
  interface Step {
    void on(Connection connection);
  }

  @BeforeEach
  void emptyTheTable() throws Exception {
    StoreFixture fixture = fixture();
    fixture.cleanup().run();
    session = new StoreSession(fixture);
  }

  void run(Step step) {
    session.call(
        connection -> {
          step.on(connection);
          return relay;
        });
  }

  static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(calls.size());
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> result : threads.invokeAll(calls)) {
        results.add(result.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  OrderedStore ordered() {
    return session.store().ordered();
  }

  LeaseTable leases() {
    return ordered().leases();
  }

  static String id() {
    return UUID.randomUUID().toString();
  }

  NodeSession join(int partitions, Duration lease) {
    NodeSession node = new NodeSession(relay, id(), "node", partitions, lease);
    run(connection -> leases().join(connection, node));
    return node;
  }

  RelayView view() {
    return session.call(connection -> leases().view(connection, relay));
  }

  boolean renew(NodeSession node) {
    return session.call(connection -> leases().renew(connection, node));
  }

  boolean holds(NodeSession node) {
    return session.call(connection -> leases().holds(connection, node));
  }

  @Nullable PartitionLease acquire(NodeSession node, int partition) {
    List<PartitionLease> acquired = new ArrayList<>();
    run(connection -> acquired.add(leases().acquire(connection, node, partition)));
    return acquired.get(0);
  }

  boolean release(NodeSession node, int partition) {
    return session.call(connection -> leases().release(connection, node, partition));
  }

  static EventEnvelope event(@Nullable String aggregateType, @Nullable String aggregateId) {
    return EventEnvelope.builder("T")
        .aggregateType(aggregateType)
        .aggregateId(aggregateId)
        .payloadJson("{}")
        .build();
  }

  static EventEnvelope order(String id) {
    return event("Order", id);
  }

  static EventKey key(String id) {
    return new EventKey("Order", id);
  }

  OrderedPage read(OrderedScan scan) {
    return session.call(connection -> ordered().read(connection, scan));
  }

  /** All pending events. */
  static OrderedScan all() {
    return scan(0, 1000);
  }

  static OrderedScan scan(long after, int limit) {
    return new OrderedScan(
        after,
        Long.MAX_VALUE,
        limit,
        allBuckets(),
        Set.of(),
        Set.of(),
        EventFilter.ALL,
        0,
        Long.MAX_VALUE);
  }

  static BitSet allBuckets() {
    BitSet buckets = new BitSet();
    buckets.set(0, OrderedStore.BUCKETS);
    return buckets;
  }

  static List<String> ids(OrderedPage page) {
    return page.rows().stream().map(row -> row.event().eventId()).toList();
  }
}
