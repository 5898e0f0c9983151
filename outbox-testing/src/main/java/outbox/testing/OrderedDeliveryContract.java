package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.EventListener;
import outbox.Outbox;
import outbox.model.BlockedKey;
import outbox.spi.EventFilter;

/** What delivery in order promises on any store that can keep it. */
public abstract class OrderedDeliveryContract extends OrderedFailureContract {

  @Test
  void keepsTheOrderOfEachAggregateOnSeveralNodesThoughDeliveriesFail() {
    Outbox first = start(this::failsSometimes);
    write(first, 40, 10);
    start(this::failsSometimes);
    write(first, 40, 10, 20);
    Outbox third = start(this::failsSometimes);
    write(third, 40, 20, 30);

    awaitSuccesses(40 * 30);

    history.assertInOrder();
    IntStream.range(0, 40)
        .forEach(i -> assertThat(history.succeeded("a" + i)).as("a" + i).hasSize(30));
  }

  @Test
  void hasEveryEventOnceAndInOrderWhileNodesComeAndGo() {
    Outbox first = start(this::succeeds);
    for (int round = 0; round < 4; round++) {
      Outbox passing = start(this::succeeds);
      write(first, 20, round * 10, round * 10 + 10);
      passing.close();
    }

    awaitSuccesses(20 * 40);

    history.assertInOrder();
    IntStream.range(0, 20)
        .forEach(
            i ->
                assertThat(history.succeeded("a" + i))
                    .isEqualTo(IntStream.range(0, 40).boxed().toList()));
  }

  @Test
  void readsALongRowOfOneAggregateInParts() {
    Outbox node = build(this::succeeds);
    write(node, 1, 1500);
    node.start();

    awaitSuccesses(1500);

    assertThat(history.succeeded("a0")).isEqualTo(IntStream.range(0, 1500).boxed().toList());
  }

  @Test
  void failingEventHoldsUpItsOwnAggregateOnly() {
    Outbox node = start(event -> failIf("a0".equals(event.aggregateId()), event));

    write(node, 5, 10);

    awaitSuccesses(40);
    assertThat(history.succeeded("a0")).isEmpty();
    await().atMost(PATIENCE).until(() -> !node.blockedKeys().list(10).isEmpty());
    BlockedKey blocked = node.blockedKeys().list(10).get(0);
    assertThat(blocked.key().aggregateId()).isEqualTo("a0");
    assertThat(blocked.depth()).isEqualTo(9);
    assertThat(blocked.head().lastError()).contains("refused");
    assertThat(blocked.waitsForOperator()).isFalse();
  }

  @Test
  void filterNeedsAName() {
    EventFilter filter = EventFilter.ALL.withEventTypes(Set.of(TYPE));

    assertThatIllegalStateException()
        .isThrownBy(
            () -> base(Outbox.ordered()).filter(filter).listener(TYPE, this::succeeds).build())
        .withMessageContaining("relay");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                base(Outbox.multiNode())
                    .singleActive()
                    .filter(filter)
                    .listener(TYPE, this::succeeds)
                    .build())
        .withMessageContaining("singleActive");
  }

  @Test
  void openTransactionHoldsUpNobodyElseAndIsNotPassedOver() {
    Outbox node = start(this::succeeds);
    StubTxContext early = new StubTxContext(fixture.connections());
    early.begin();
    session.store().insertNew(early.currentConnection(), event("early", 0));

    write(node, 10, 20);
    awaitSuccesses(200);
    write(node, 10, 20, 30);
    awaitSuccesses(300);
    early.commit();

    awaitSuccesses(301);
    history.assertInOrder();
  }

  @Test
  void delayedEventHoldsUpItsAggregate() {
    Outbox node = start(this::succeeds);
    tx.inTransaction(
        () -> {
          node.writer().write(delayed("a0", Duration.ofSeconds(1)));
          node.writer().write(event("a0", 1));
          node.writer().write(event("a1", 0));
          node.writer().write(delayed("a2", Duration.ofHours(1)));
          node.writer().write(event("a2", 1));
        });

    awaitSuccesses(3);
    assertThat(history.succeeded("a0")).containsExactly(0, 1);
    assertThat(history.succeeded("a1")).containsExactly(0);
    assertThat(history.succeeded("a2")).isEmpty();
  }

  /** The first of its aggregate. */
  private static EventEnvelope delayed(String aggregateId, Duration delay) {
    return EventEnvelope.builder(TYPE)
        .aggregateType("Account")
        .aggregateId(aggregateId)
        .deliverAfter(delay)
        .payloadJson("0")
        .build();
  }

  @Test
  void eventsWithoutAggregateDontWaitForEachOther() {
    CountDownLatch both = new CountDownLatch(2);
    Outbox node =
        start(
            event -> {
              both.countDown();
              assertThat(both.await(60, TimeUnit.SECONDS)).isTrue();
              history.add(event, true);
            });

    tx.inTransaction(
        () -> {
          node.writer().write(EventEnvelope.ofJson(TYPE, "0"));
          node.writer().write(EventEnvelope.ofJson(TYPE, "1"));
        });

    await().atMost(PATIENCE).until(() -> history.succeeded() == 2);
  }

  @Test
  void sequenceAndEpochTravelWithTheEvent() {
    Map<Integer, EventEnvelope> events = new ConcurrentHashMap<>();
    EventListener listener = event -> events.put(number(event), event);
    Outbox node = start(listener);
    write(node, 1, 2);
    await().atMost(PATIENCE).until(() -> events.size() == 2);
    node.close();
    Outbox next = start(listener);
    write(next, 1, 2, 3);
    await().atMost(PATIENCE).until(() -> events.size() == 3);

    List<Long> sequences = headers(events, EventHeaders.SEQUENCE);
    List<Long> epochs = headers(events, EventHeaders.EPOCH);
    assertThat(sequences).isSorted().doesNotHaveDuplicates();
    assertThat(epochs.get(1)).isEqualTo(epochs.get(0)).isLessThan(epochs.get(2));
  }

  @Test
  void refusesAnotherNumberOfPartitions() {
    start(this::succeeds);
    Outbox other = build(this::succeeds, builder -> builder.partitions(16));

    assertThatIllegalStateException()
        .isThrownBy(other::start)
        .withMessageContaining("64")
        .withMessageContaining("16");
  }

  @Test
  void oneNodeDeliversAndAnotherStandsBy() {
    Set<String> active = ConcurrentHashMap.newKeySet();
    Outbox first = singleActive("first", active);
    Outbox second = singleActive("second", active);
    write(second, 4, 5);
    awaitSuccesses(20);
    assertThat(active).hasSize(1);

    (active.contains("first") ? first : second).close();
    Outbox left = active.contains("first") ? second : first;
    write(left, 4, 5, 10);

    awaitSuccesses(40);
    assertThat(active).hasSize(2);
  }

  private Outbox singleActive(String name, Set<String> active) {
    Outbox node =
        base(Outbox.multiNode())
            .nodeId(name)
            .lease(LEASE)
            .singleActive()
            .listener(
                TYPE,
                event -> {
                  active.add(name);
                  succeeds(event);
                })
            .build();
    node.start();
    nodes.add(node);
    return node;
  }
}
