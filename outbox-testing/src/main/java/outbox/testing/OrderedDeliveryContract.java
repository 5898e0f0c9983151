package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.OrderedBuilder;
import outbox.Outbox;
import outbox.OutboxBuilder;
import outbox.model.BlockedKey;
import outbox.model.DiscardReason;
import outbox.model.EventStatus;
import outbox.ordered.OnDead;
import outbox.spi.EventFilter;

/** What delivery in order promises on any store that can keep it. */
public abstract class OrderedDeliveryContract {

  private static final String TYPE = "Changed";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String relay = "relay-" + UUID.randomUUID();
  private final List<Outbox> nodes = new ArrayList<>();
  private final DeliveryHistory history = new DeliveryHistory();

  @SuppressWarnings("NullAway.Init")
  private StoreFixture fixture;

  @SuppressWarnings("NullAway.Init")
  private StoreSession session;

  @SuppressWarnings("NullAway.Init")
  private StubTxContext tx;

  /** The store that all nodes share; asked for once per test. */
  protected abstract StoreFixture fixture();

  @BeforeEach
  void emptyTheTable() throws Exception {
    fixture = fixture();
    fixture.cleanup().run();
    session = new StoreSession(fixture);
    tx = new StubTxContext(fixture.connections());
  }

  @AfterEach
  void stopTheNodes() {
    nodes.forEach(Outbox::close);
  }

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
    BlockedKey blocked = node.blockedKeys().list(10).get(0);
    assertThat(blocked.key().aggregateId()).isEqualTo("a0");
    assertThat(blocked.depth()).isEqualTo(9);
    assertThat(blocked.head().lastError()).contains("refused");
    assertThat(blocked.waitsForOperator()).isFalse();
  }

  @Test
  void deadEventBlocksItsAggregateUntilAnOperatorSkipsIt() {
    Outbox node = start(this::diesAtTwo);
    write(node, 2, 5);

    BlockedKey blocked = awaitBlocked(node, 2);
    assertThat(blocked.depth()).isEqualTo(2);
    assertThat(history.succeeded("a0")).containsExactly(0, 1);
    node.blockedKeys().list(10).forEach(key -> assertThat(node.blockedKeys().skip(key)).isTrue());

    awaitSuccesses(8);
    assertThat(history.succeeded("a0")).containsExactly(0, 1, 3, 4);
    assertThat(node.blockedKeys().skip(blocked)).isFalse();
    assertThat(session.find(blocked.head().event().eventId()).orElseThrow().status())
        .isEqualTo(EventStatus.DEAD);
  }

  @Test
  void deadEventIsTriedAgainBeforeThoseBehindIt() {
    Set<String> refused = ConcurrentHashMap.newKeySet();
    Outbox node =
        start(
            event -> {
              if (number(event) == 2 && refused.add(event.eventId())) {
                throw new NonRetryableException("refused once");
              }
              succeeds(event);
            });
    write(node, 1, 5);

    BlockedKey blocked = awaitBlocked(node, 1);
    assertThat(node.blockedKeys().retry(blocked)).isTrue();

    awaitSuccesses(5);
    assertThat(history.succeeded("a0")).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void replayOfABlockingEventByTheDeadLettersLetsItsAggregateGoOn() {
    Set<String> refused = ConcurrentHashMap.newKeySet();
    Outbox node =
        start(
            event -> {
              if (number(event) == 0 && refused.add(event.eventId())) {
                throw new NonRetryableException("refused once");
              }
              succeeds(event);
            });
    write(node, 1, 3);

    BlockedKey blocked = awaitBlocked(node, 1);
    assertThat(node.dead().replay(blocked.head().event().eventId())).isTrue();

    awaitSuccesses(3);
    assertThat(history.succeeded("a0")).containsExactly(0, 1, 2);
  }

  @Test
  void discardedEventIsDoneAndThoseBehindItGoOn() {
    Outbox node = start(this::diesAtTwo);
    write(node, 1, 4);

    BlockedKey blocked = awaitBlocked(node, 1);
    assertThat(node.blockedKeys().discard(blocked, new DiscardReason("known"))).isTrue();

    awaitSuccesses(3);
    assertThat(session.find(blocked.head().event().eventId()).orElseThrow().isDiscarded()).isTrue();
  }

  @Test
  void failingEventCanBeBuriedBeforeItsAttemptsAreOver() {
    Outbox node =
        start(
            event -> failIf(number(event) == 0, event),
            builder -> builder.dispatcher(d -> d.retryPolicy(attempts -> 600_000)));
    write(node, 1, 3);

    await().atMost(PATIENCE).until(() -> node.blockedKeys().list(10).size() == 1);
    assertThat(node.blockedKeys().skip(node.blockedKeys().list(10).get(0))).isTrue();

    awaitSuccesses(2);
    assertThat(history.succeeded("a0")).containsExactly(1, 2);
  }

  @Test
  void blockOutlivesTheNodeThatMadeIt() {
    Outbox node = start(this::diesAtTwo);
    write(node, 1, 4);
    awaitBlocked(node, 1);
    node.close();

    Outbox next = start(this::diesAtTwo);
    write(next, 2, 4, 6);
    await().atMost(PATIENCE).until(() -> history.succeeded("a1").size() == 2);
    assertThat(history.succeeded("a0")).containsExactly(0, 1);

    assertThat(next.blockedKeys().release(awaitBlocked(next, 1))).isTrue();
    await().atMost(PATIENCE).until(() -> history.succeeded("a0").size() == 5);
    assertThat(history.succeeded("a0")).containsExactly(0, 1, 3, 4, 5);
  }

  @Test
  void eventThatIsTriedAgainComesBeforeLaterOnesOnANodeThatNeverSawItDie() {
    Set<String> refused = ConcurrentHashMap.newKeySet();
    EventListener refusesOnce =
        event -> {
          if ("a0".equals(event.aggregateId()) && refused.add("a0")) {
            throw new NonRetryableException("refused once");
          }
          succeeds(event);
        };
    Outbox node = start(refusesOnce);
    write(node, 1, 1);
    awaitBlocked(node, 1);
    node.close();

    Outbox next = start(refusesOnce);
    tx.inTransaction(() -> next.writer().write(event("a1", 0)));
    awaitSuccesses(1);
    assertThat(next.blockedKeys().retry(awaitBlocked(next, 1))).isTrue();
    tx.inTransaction(() -> next.writer().write(event("a0", 1)));

    awaitSuccesses(3);
    assertThat(history.succeeded("a0")).containsExactly(0, 1);
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
  void deadEventIsLeftBehindIfAsked() {
    Outbox node = start(this::diesAtTwo, builder -> builder.onDead(OnDead.SKIP));

    write(node, 1, 5);

    awaitSuccesses(4);
    assertThat(history.succeeded("a0")).containsExactly(0, 1, 3, 4);
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
          node.writer()
              .write(
                  EventEnvelope.builder(TYPE)
                      .aggregateType("Account")
                      .aggregateId("a0")
                      .deliverAfter(Duration.ofSeconds(2))
                      .payloadJson("0")
                      .build());
          node.writer().write(event("a0", 1));
          node.writer().write(event("a1", 0));
        });

    awaitSuccesses(1);
    assertThat(history.succeeded("a1")).containsExactly(0);
    awaitSuccesses(3);
    assertThat(history.succeeded("a0")).containsExactly(0, 1);
  }

  @Test
  void eventsWithoutAggregateDontWaitForEachOther() {
    CountDownLatch both = new CountDownLatch(2);
    Outbox node =
        start(
            event -> {
              both.countDown();
              assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
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
            .lease(Duration.ofSeconds(2))
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

  private void succeeds(EventEnvelope event) {
    history.add(event, true);
  }

  private void failsSometimes(EventEnvelope event) {
    failIf(ThreadLocalRandom.current().nextInt(10) == 0, event);
  }

  private void diesAtTwo(EventEnvelope event) {
    if (number(event) == 2) {
      throw new NonRetryableException("refused for ever");
    }
    succeeds(event);
  }

  private void failIf(boolean fails, EventEnvelope event) {
    history.add(event, !fails);
    if (fails) {
      throw new IllegalStateException("refused " + event.eventId());
    }
  }

  private Outbox start(EventListener listener) {
    return start(listener, builder -> builder);
  }

  private Outbox start(EventListener listener, UnaryOperator<OrderedBuilder> more) {
    Outbox node = build(listener, more);
    node.start();
    return node;
  }

  private Outbox build(EventListener listener) {
    return build(listener, builder -> builder);
  }

  private Outbox build(EventListener listener, UnaryOperator<OrderedBuilder> more) {
    Outbox node =
        more.apply(
                base(Outbox.ordered())
                    .relay(relay)
                    .interval(Duration.ofMillis(200))
                    .lease(Duration.ofSeconds(5))
                    .dispatcher(d -> d.retryPolicy(attempts -> 20).maxAttempts(1000))
                    .listener(TYPE, listener))
            .build();
    nodes.add(node);
    return node;
  }

  private <B extends OutboxBuilder<B>> B base(B builder) {
    return builder.store(fixture.store()).connectionProvider(fixture.connections()).txContext(tx);
  }

  private void write(Outbox node, int aggregates, int until) {
    write(node, aggregates, 0, until);
  }

  private void write(Outbox node, int aggregates, int from, int until) {
    for (int number = from; number < until; number++) {
      int current = number;
      tx.inTransaction(
          () ->
              IntStream.range(0, aggregates)
                  .forEach(i -> node.writer().write(event("a" + i, current))));
    }
  }

  private static EventEnvelope event(String aggregateId, int number) {
    return EventEnvelope.builder(TYPE)
        .aggregateType("Account")
        .aggregateId(aggregateId)
        .payloadJson(Integer.toString(number))
        .build();
  }

  private BlockedKey awaitBlocked(Outbox node, int count) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                node.blockedKeys().list(10).stream().filter(BlockedKey::waitsForOperator).count()
                    == count);
    return node.blockedKeys().list(10).get(0);
  }

  private void awaitSuccesses(int count) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(() -> assertThat(history.succeeded()).isEqualTo(count));
  }

  private static int number(EventEnvelope event) {
    return Integer.parseInt(String.valueOf(event.payloadJson()));
  }

  private static List<Long> headers(Map<Integer, EventEnvelope> events, String name) {
    return new TreeMap<>(events)
        .values().stream().map(event -> Long.valueOf(String.valueOf(event.header(name)))).toList();
  }
}
