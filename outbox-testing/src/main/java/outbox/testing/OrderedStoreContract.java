package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventKey;
import outbox.spi.EventFilter;
import outbox.spi.OrderedPage;
import outbox.spi.OrderedPage.OpenEvent;
import outbox.spi.OrderedPage.Row;
import outbox.spi.OrderedScan;

/**
 * What every {@link outbox.spi.OrderedStore} promises: reading in order, and below that the leases
 * of partitions and the aggregates that wait. A subclass supplies the {@link StoreFixture}.
 */
public abstract class OrderedStoreContract extends OrderedWritersContract {

  @Test
  void pendingEventsComeInTheOrderOfTheirNumbers() {
    List<EventEnvelope> events =
        IntStream.range(0, 20).mapToObj(i -> session.insert(order("o-" + i % 3))).toList();
    session.markRetry(events.get(4), StoreSession.now().plusSeconds(3600), "e");
    session.markDone(events.get(5));
    session.markDead(events.get(6), "e");

    OrderedPage page = read(all());

    List<String> pending = new ArrayList<>(events.stream().map(EventEnvelope::eventId).toList());
    pending.removeAll(List.of(events.get(5).eventId(), events.get(6).eventId()));
    assertThat(ids(page)).isEqualTo(pending);
    assertThat(page.rows()).extracting(Row::seq).isSorted().doesNotHaveDuplicates();
    assertThat(page.rows().get(4).event()).isEqualTo(session.row(events.get(4)).event());
    assertThat(page.rows().get(4).availableAt())
        .isEqualTo(session.row(events.get(4)).availableAt());
    assertThat(page.openEvents()).isEmpty();
  }

  @Test
  void pagesGoOnWhereTheLastOneEnded() {
    List<EventEnvelope> events =
        IntStream.range(0, 7).mapToObj(i -> session.insert(order("o-" + i))).toList();
    session.markRetry(events.get(1), StoreSession.now(), "e");
    List<String> read = new ArrayList<>();
    long after = 0;

    for (OrderedPage page = read(scan(after, 3)); !page.rows().isEmpty(); ) {
      assertThat(page.rows()).hasSizeLessThanOrEqualTo(3);
      read.addAll(ids(page));
      after = page.rows().get(page.rows().size() - 1).seq();
      page = read(scan(after, 3));
    }

    assertThat(read).isEqualTo(events.stream().map(EventEnvelope::eventId).toList());
    assertThat(read(scan(0, 0)).rows()).isEmpty();
  }

  @Test
  void scanEndsAtItsLastNumber() {
    IntStream.range(0, 5).forEach(i -> session.insert(order("o-" + i)));
    List<Row> rows = read(all()).rows();
    OrderedScan middle =
        new OrderedScan(
            rows.get(0).seq(),
            rows.get(3).seq(),
            10,
            allBuckets(),
            Set.of(),
            Set.of(),
            EventFilter.ALL,
            0,
            Long.MAX_VALUE);

    assertThat(read(middle).rows()).isEqualTo(rows.subList(1, 4));
  }

  @Test
  void eventsOfAnAggregateShareABucketAndOthersSpread() {
    IntStream.range(0, 200).forEach(i -> session.insert(order("o-" + i % 100)));
    IntStream.range(0, 50).forEach(i -> session.insert("T"));

    List<Row> rows = read(all()).rows();

    assertThat(rows).allMatch(row -> row.bucket() >= 0 && row.bucket() < 1024);
    assertThat(IntStream.range(0, 100))
        .allMatch(i -> rows.get(i).bucket() == rows.get(i + 100).bucket());
    assertThat(rows.stream().limit(100).map(Row::bucket).distinct().count()).isGreaterThan(70);
    assertThat(rows.stream().skip(200).map(Row::bucket).distinct().count()).isGreaterThan(35);
  }

  @Test
  void bucketsDivideTheEvents() {
    IntStream.range(0, 60).forEach(i -> session.insert(order("o-" + i)));
    IntStream.range(0, 20).forEach(i -> session.insert("T"));
    List<Row> rows = read(all()).rows();
    List<Row> divided = new ArrayList<>();

    for (int from = 0; from < 1024; from += 256) {
      BitSet buckets = new BitSet();
      buckets.set(from, from + 256);
      divided.addAll(
          read(new OrderedScan(
                  0,
                  Long.MAX_VALUE,
                  100,
                  buckets,
                  Set.of(),
                  Set.of(),
                  EventFilter.ALL,
                  0,
                  Long.MAX_VALUE))
              .rows());
    }

    assertThat(divided).containsExactlyInAnyOrderElementsOf(rows);
    assertThat(
            read(new OrderedScan(
                    0,
                    Long.MAX_VALUE,
                    9,
                    new BitSet(),
                    Set.of(),
                    Set.of(),
                    EventFilter.ALL,
                    0,
                    Long.MAX_VALUE))
                .rows())
        .isEmpty();
  }

  @Test
  void onlySomeAggregatesAreReadOrAllButSome() {
    EventEnvelope a = session.insert(event("A", "1"));
    EventEnvelope b = session.insert(event("B", "1"));
    EventEnvelope global = session.insert(event(null, "1"));
    EventEnvelope other = session.insert(event("A", "2"));
    EventEnvelope none = session.insert(event(null, null));
    EventEnvelope onlyType = session.insert(event("A", null));
    Set<EventKey> some = Set.of(new EventKey("A", "1"), new EventKey(global.aggregateType(), "1"));

    assertThat(ids(read(keys(some, Set.of())))).containsExactly(a.eventId(), global.eventId());
    assertThat(ids(read(keys(Set.of(), some))))
        .containsExactly(b.eventId(), other.eventId(), none.eventId(), onlyType.eventId());
    assertThat(ids(read(keys(Set.of(new EventKey("B", "1")), some)))).containsExactly(b.eventId());
  }

  @Test
  void filterTakesWhatTheRelayTakes() {
    EventEnvelope wanted =
        session.insert(
            EventEnvelope.builder("Paid")
                .aggregateType("Order")
                .aggregateId("1")
                .tenantId("acme")
                .payloadJson("{}")
                .build());
    session.insert(order("1"));
    session.insert(event(null, null));

    assertThat(ids(read(filtered(EventFilter.ALL.withEventTypes(Set.of("Paid", "Sent"))))))
        .containsExactly(wanted.eventId());
    assertThat(ids(read(filtered(EventFilter.ALL.withTenantIds(Set.of("acme"))))))
        .containsExactly(wanted.eventId());
    assertThat(ids(read(filtered(EventFilter.ALL.withAggregateTypes(Set.of("Order")))))).hasSize(2);
  }

  @Test
  void pageEndsWithTheEventThatReachesItsBytes() {
    List<EventEnvelope> events =
        IntStream.range(0, 5).mapToObj(i -> session.insert(order(400))).toList();

    OrderedPage first = read(within(0, 801));
    OrderedPage second = read(within(first.rows().get(2).seq(), 801));

    assertSame(first, events.subList(0, 3));
    assertThat(first.isCut()).isTrue();
    assertSame(second, events.subList(3, 5));
    assertThat(second.isCut()).isFalse();
  }

  @Test
  void eventLargerThanAllBytesIsReadAlone() {
    List<EventEnvelope> events =
        IntStream.range(0, 2).mapToObj(i -> session.insert(order(300_000))).toList();

    OrderedPage page = read(within(0, 1));

    assertSame(page, events.subList(0, 1));
    assertThat(page.isCut()).isTrue();
  }

  @Test
  void largeEventAmongSmallOnesIsReadIfItFits() {
    List<EventEnvelope> events =
        Stream.of(10, 50_000, 10, 60_000).map(size -> session.insert(order(size))).toList();
    session.markRetry(events.get(0), StoreSession.now(), "e");

    OrderedPage page = read(within(0, 1_000_000));

    assertSame(page, events);
    assertThat(page.isCut()).isFalse();
    assertSame(read(within(0, 20_000)), events.subList(0, 2));
  }

  private static EventEnvelope order(int bytes) {
    return EventEnvelope.builder("T")
        .aggregateType("Order")
        .aggregateId("o-1")
        .payloadJson('"' + "x".repeat(bytes - 2) + '"')
        .build();
  }

  private static OrderedScan within(long after, long bytes) {
    Set<EventKey> none = Set.of();
    return new OrderedScan(
        after, Long.MAX_VALUE, 100, allBuckets(), none, none, EventFilter.ALL, 0, bytes);
  }

  private static void assertSame(OrderedPage page, List<EventEnvelope> events) {
    assertThat(ids(page)).isEqualTo(events.stream().map(EventEnvelope::eventId).toList());
    assertThat(page.rows())
        .extracting(row -> row.event().payloadJson())
        .containsExactlyElementsOf(events.stream().map(EventEnvelope::payloadJson).toList());
  }

  @Test
  void whatIsNotCommittedBelowIsToldAsAnEventOrAsATransaction() {
    EventEnvelope before = session.insert(order("before"));
    EventEnvelope open = order("open");
    List<OrderedPage> pages = new ArrayList<>();

    session.inTransaction(
        connection -> {
          ordered().lockKey(connection, key("open"));
          session.store().insertNew(connection, open);
          session.insert(order("after"));
          pages.add(read(all()));
          connection.commit();
          return connection;
        });
    OrderedPage later = read(all());

    OrderedPage page = pages.get(0);
    assertThat(ids(page)).hasSize(2).startsWith(before.eventId()).doesNotContain(open.eventId());
    assertThat(ids(later)).hasSize(3);
    OpenEvent expected = new OpenEvent(later.rows().get(1).seq(), key("open"));
    assertThat(page.openEvents().equals(List.of(expected)) || !page.openTransactions().isEmpty())
        .isTrue();
    assertThat(later.openEvents()).isEmpty();
    // The database's own transactions may be among them.
    assertThat(
            page.openTransactions().isEmpty()
                || !later.openTransactions().containsAll(page.openTransactions()))
        .isTrue();
  }

  @Test
  void readLeavesTheConnectionAsItWas() {
    session.insert(order("1"));
    session.call(
        connection -> {
          boolean autoCommit = connection.getAutoCommit();
          int isolation = isolation(connection);
          for (int i = 0; i < 3; i++) {
            assertThat(ordered().read(connection, all()).rows()).hasSize(i + 1);
            session.insert(order("1"));
          }
          assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
          assertThat(isolation(connection)).isEqualTo(isolation);
          return connection;
        });
  }

  @Test
  void aggregateIsLockedUntilTheTransactionEnds() {
    assertLocks(true);
    assertLocks(false);
  }

  private void assertLocks(boolean commits) {
    List<CompletableFuture<String>> second = new ArrayList<>();
    session.inTransaction(
        connection -> {
          ordered().lockKey(connection, key("1"));
          ordered().lockKey(connection, key("1"));
          lock(key("2"));
          lock(new EventKey(null, "1"));
          second.add(CompletableFuture.supplyAsync(() -> lock(key("1"))));
          assertThatThrownBy(() -> second.get(0).get(200, TimeUnit.MILLISECONDS))
              .isInstanceOf(TimeoutException.class);
          if (commits) {
            connection.commit();
          } else {
            connection.rollback();
          }
          return connection;
        });
    assertThat(second.get(0).orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo("locked");
  }

  @Test
  void aggregateIsNotLockedWithoutATransaction() {
    session.call(
        connection -> {
          if (connection.getAutoCommit()) {
            assertThatThrownBy(() -> ordered().lockKey(connection, key("1")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("transaction");
          }
          return connection;
        });
  }

  private String lock(EventKey key) {
    session.inTransaction(
        connection -> {
          ordered().lockKey(connection, key);
          connection.commit();
          return connection;
        });
    return "locked";
  }

  /** The one in memory knows no levels. */
  private static int isolation(Connection connection) throws SQLException {
    try {
      return connection.getTransactionIsolation();
    } catch (SQLFeatureNotSupportedException e) {
      return Connection.TRANSACTION_READ_COMMITTED;
    }
  }

  private static OrderedScan keys(Set<EventKey> only, Set<EventKey> except) {
    return new OrderedScan(
        0, Long.MAX_VALUE, 100, allBuckets(), only, except, EventFilter.ALL, 0, Long.MAX_VALUE);
  }

  private static OrderedScan filtered(EventFilter filter) {
    return new OrderedScan(
        0, Long.MAX_VALUE, 100, allBuckets(), Set.of(), Set.of(), filter, 0, Long.MAX_VALUE);
  }
}
