package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxStatus;
import outbox.WriterHook;
import outbox.model.EventDetails;
import outbox.model.EventStatus;

/**
 * What the whole promises on any store: two nodes write, claim and deliver through the public API,
 * and every event ends, once.
 */
public abstract class DeliveryContract {

  private static final int MAX_ATTEMPTS = 3;
  private static final int PER_TRANSACTION = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Map<String, Tries> tries = new ConcurrentHashMap<>();
  private final List<TestNode> nodes = new ArrayList<>();
  private final List<Outbox> outboxes = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private StoreFixture fixture;

  @SuppressWarnings("NullAway.Init")
  private StoreSession session;

  @SuppressWarnings("NullAway.Init")
  private StubTxContext tx;

  /** How often an event was handed over and how often that failed. */
  private record Tries(int calls, int failures) {

    Tries plus(Tries more) {
      return new Tries(calls + more.calls, failures + more.failures);
    }
  }

  /** The store that both nodes share; asked for once per test. */
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
    nodes.forEach(TestNode::close);
    outboxes.forEach(Outbox::close);
  }

  @Test
  void everyEventEndsAndNoneIsDeliveredTwiceUnlessItFailedFirst() {
    TestNode one = start("node-1", 5000);
    TestNode two = start("node-2", 5000);
    List<EventEnvelope> events = events(10_000);

    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(() -> write(one, events.subList(0, 5000)));
    write(two, events.subList(5000, 10_000));
    writing.join();
    awaitTheEnd();

    events.forEach(this::assertEveryTryWasCounted);
    events.forEach(this::assertEndedOnce);
  }

  @Test
  void nodeThatStopsLeavesItsEventsToTheOther() {
    TestNode leaving = start("node-1", 0);
    TestNode staying = start("node-2", 5000);
    List<EventEnvelope> events = events(2000);

    write(leaving, events.subList(0, 1000));
    leaving.close();
    write(staying, events.subList(1000, 2000));
    awaitTheEnd();

    events.forEach(this::assertEndedOnce);
  }

  @Test
  void nodeThatClosesInTheMiddleOfAWriteLeavesItsEventsFree() {
    List<Outbox> closing = new ArrayList<>();
    Outbox leaving = outbox("node-1", closingAfterTheInsert(closing));
    closing.add(leaving);
    List<EventEnvelope> events = events(3);

    tx.inTransaction(() -> leaving.writer().writeAll(events));

    assertThat(leaving.status().state()).isEqualTo(OutboxStatus.State.CLOSED);
    assertThat(events).allMatch(event -> session.row(event).lockedBy() == null);
    start("node-2", 5000);
    awaitTheEnd();
    events.forEach(this::assertEndedOnce);
  }

  @Test
  void nodeThatClosesWhileManyWriteLeavesTheirEventsToTheOther() {
    Outbox leaving = outbox("node-1", WriterHook.NOOP);
    start("node-2", 5000);
    List<EventEnvelope> events = events(2000);
    AtomicInteger written = new AtomicInteger();

    List<CompletableFuture<Void>> writing =
        IntStream.range(0, 4)
            .mapToObj(part -> events.subList(part * 500, (part + 1) * 500))
            .map(part -> CompletableFuture.runAsync(() -> writeEach(leaving, part, written)))
            .toList();
    await().atMost(PATIENCE).until(() -> written.get() > 200);
    leaving.close();
    writing.forEach(CompletableFuture::join);
    awaitTheEnd();

    events.forEach(this::assertEndedOnce);
  }

  /** Even one call of the listener too many shows here. */
  private void assertEndedOnce(EventEnvelope event) {
    EventDetails row = session.row(event);
    Tries tried = tries.getOrDefault(event.eventId(), new Tries(0, 0));
    boolean dies = failsAlways(number(event));
    assertThat(row.status())
        .as(row.toString())
        .isEqualTo(dies ? EventStatus.DEAD : EventStatus.DONE);
    assertThat(tried.calls() - tried.failures()).as(row.toString()).isEqualTo(dies ? 0 : 1);
  }

  /** Holds where no node stops: a try that fails while its node stops is not counted. */
  private void assertEveryTryWasCounted(EventEnvelope event) {
    EventDetails row = session.row(event);
    int number = number(event);
    int expected = failsAlways(number) ? MAX_ATTEMPTS : failsOnce(number) ? 1 : 0;
    assertThat(row.event().attempts()).as(row.toString()).isEqualTo(expected);
    assertThat(tries.getOrDefault(event.eventId(), new Tries(0, 0)).failures())
        .as(row.toString())
        .isEqualTo(expected);
  }

  private void deliver(EventEnvelope event) {
    int number = number(event);
    Tries before = tries.getOrDefault(event.eventId(), new Tries(0, 0));
    boolean fails = failsAlways(number) || (failsOnce(number) && before.calls() == 0);
    tries.merge(event.eventId(), new Tries(1, fails ? 1 : 0), Tries::plus);
    if (fails) {
      throw new IllegalStateException("refused event number " + number);
    }
  }

  private void awaitTheEnd() {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(unfinished()).isEmpty());
  }

  /** Some of the events that have not ended, with all that could tell why. */
  private List<EventDetails> unfinished() {
    return session.poll(StoreSession.now().plus(PATIENCE), Duration.ZERO, 10).stream()
        .flatMap(row -> session.find(row.eventId()).stream())
        .toList();
  }

  private TestNode start(String name, long drainTimeoutMs) {
    TestNode node = TestNode.start(name, fixture, drainTimeoutMs, MAX_ATTEMPTS, this::deliver);
    nodes.add(node);
    return node;
  }

  /** Started, with claims that last as long as those of the other nodes. */
  private Outbox outbox(String nodeId, WriterHook hook) {
    Outbox outbox =
        Outbox.multiNode()
            .store(fixture.store())
            .connectionProvider(fixture.connections())
            .txContext(tx)
            .nodeId(nodeId)
            .lease(TestNode.LOCK_TIMEOUT)
            .writerHook(hook)
            .dispatcher(settings -> settings.maxAttempts(MAX_ATTEMPTS))
            .listener(TestNode.EVENT_TYPE, this::deliver)
            .build();
    outboxes.add(outbox);
    outbox.start();
    return outbox;
  }

  /** Closes when rows are inserted, and before anybody is asked what is to follow the commit. */
  private static WriterHook closingAfterTheInsert(List<Outbox> closing) {
    return new WriterHook() {
      @Override
      public void afterWrite(List<EventEnvelope> events) {
        closing.forEach(Outbox::close);
      }
    };
  }

  private void writeEach(Outbox outbox, List<EventEnvelope> events, AtomicInteger written) {
    for (EventEnvelope event : events) {
      tx.inTransaction(() -> outbox.writer().write(event));
      written.incrementAndGet();
    }
  }

  private static void write(TestNode node, List<EventEnvelope> events) {
    for (int from = 0; from < events.size(); from += PER_TRANSACTION) {
      node.write(events.subList(from, Math.min(events.size(), from + PER_TRANSACTION)));
    }
  }

  private static List<EventEnvelope> events(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> EventEnvelope.ofJson(TestNode.EVENT_TYPE, Integer.toString(number)))
        .toList();
  }

  private static int number(EventEnvelope event) {
    return Integer.parseInt(String.valueOf(event.payloadJson()));
  }

  private static boolean failsOnce(int number) {
    return number % 10 == 3;
  }

  private static boolean failsAlways(int number) {
    return number % 1000 == 7;
  }
}
