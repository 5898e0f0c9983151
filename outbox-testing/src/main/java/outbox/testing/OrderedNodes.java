package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.OrderedBuilder;
import outbox.Outbox;
import outbox.OutboxBuilder;
import outbox.model.BlockedKey;

/** Nodes that deliver in order from the store under test, and what their listeners were given. */
abstract class OrderedNodes {

  static final String TYPE = "Changed";
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Longer than a busy machine keeps a process waiting: nobody loses one without closing. */
  static final Duration LEASE = Duration.ofSeconds(5);

  final String relay = "relay-" + UUID.randomUUID();
  final List<Outbox> nodes = new ArrayList<>();
  final DeliveryHistory history = new DeliveryHistory();

  @SuppressWarnings("NullAway.Init")
  StoreFixture fixture;

  @SuppressWarnings("NullAway.Init")
  StoreSession session;

  @SuppressWarnings("NullAway.Init")
  StubTxContext tx;

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

  void succeeds(EventEnvelope event) {
    history.add(event, true);
  }

  void failsSometimes(EventEnvelope event) {
    failIf(ThreadLocalRandom.current().nextInt(10) == 0, event);
  }

  void diesAtTwo(EventEnvelope event) {
    if (number(event) == 2) {
      throw new NonRetryableException("refused for ever");
    }
    succeeds(event);
  }

  void failIf(boolean fails, EventEnvelope event) {
    history.add(event, !fails);
    if (fails) {
      throw new IllegalStateException("refused " + event.eventId());
    }
  }

  Outbox start(EventListener listener) {
    return start(listener, builder -> builder);
  }

  Outbox start(EventListener listener, UnaryOperator<OrderedBuilder> more) {
    Outbox node = build(listener, more);
    node.start();
    return node;
  }

  Outbox build(EventListener listener) {
    return build(listener, builder -> builder);
  }

  Outbox build(EventListener listener, UnaryOperator<OrderedBuilder> more) {
    Outbox node =
        more.apply(
                base(Outbox.ordered())
                    .relay(relay)
                    .interval(Duration.ofMillis(200))
                    .lease(LEASE)
                    .dispatcher(d -> d.retryPolicy(attempts -> 20).maxAttempts(1000))
                    .listener(TYPE, listener))
            .build();
    nodes.add(node);
    return node;
  }

  <B extends OutboxBuilder<B>> B base(B builder) {
    return builder.store(fixture.store()).connectionProvider(fixture.connections()).txContext(tx);
  }

  void write(Outbox node, int aggregates, int until) {
    write(node, aggregates, 0, until);
  }

  void write(Outbox node, int aggregates, int from, int until) {
    for (int number = from; number < until; number++) {
      int current = number;
      tx.inTransaction(
          () ->
              IntStream.range(0, aggregates)
                  .forEach(i -> node.writer().write(event("a" + i, current))));
    }
  }

  static EventEnvelope event(String aggregateId, int number) {
    return EventEnvelope.builder(TYPE)
        .aggregateType("Account")
        .aggregateId(aggregateId)
        .payloadJson(Integer.toString(number))
        .build();
  }

  BlockedKey awaitBlocked(Outbox node, int count) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                node.blockedKeys().list(10).stream().filter(BlockedKey::waitsForOperator).count()
                    == count);
    return node.blockedKeys().list(10).get(0);
  }

  void awaitSuccesses(int count) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(() -> assertThat(history.succeeded()).isEqualTo(count));
  }

  static int number(EventEnvelope event) {
    return Integer.parseInt(String.valueOf(event.payloadJson()));
  }

  static List<Long> headers(Map<Integer, EventEnvelope> events, String name) {
    return new TreeMap<>(events)
        .values().stream().map(event -> Long.valueOf(String.valueOf(event.header(name)))).toList();
  }
}
