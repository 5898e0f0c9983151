package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.faults.check.Checker;
import outbox.faults.history.Entry;
import outbox.faults.history.Entry.Call;
import outbox.faults.history.History;
import outbox.faults.history.Payload;
import outbox.faults.node.Accounts;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.Server;
import outbox.faults.world.World;

/** A transaction takes its numbers early and commits late. */
class F16LongTransactionTest extends DatabaseScenario {

  /** Much longer than the latency of anybody may be, on a busy machine too. */
  private static final Duration SHORT = Duration.ofSeconds(10);

  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofSeconds(8);

  /** Keys of the long transaction, which locks their rows: whoever is next waits for it. */
  private static final List<String> LATE = List.of("a18", "a19");

  /** A key of the long transaction and of another one, neither of which locks anything. */
  private static final String UNLOCKED = "unlocked";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch written = new CountDownLatch(1);
  private final CountDownLatch mayCommit = new CountDownLatch(1);
  private volatile long committing;
  private volatile long unlocked;

  @Test
  @Tag(QUICK)
  void openTransactionHoldsUpItsKeysOnly() throws Exception {
    keepOpenFor(SHORT, Mode.ORDERED);
  }

  @Test
  void transactionThatIsOpenForAMinuteHoldsUpItsKeysOnly() throws Exception {
    keepOpenFor(Duration.ofMinutes(1), Mode.ORDERED);
  }

  @Test
  void transactionThatIsOpenForAMinuteHoldsUpNobodyElseWithClaims() throws Exception {
    keepOpenFor(Duration.ofMinutes(1), Mode.MULTI);
  }

  private void keepOpenFor(Duration open, Mode mode) throws Exception {
    protocol.about(
        "one event at a time for 18 keys, 2 nodes, %s".formatted(mode),
        "a transaction with events of 3 other keys open for %ds".formatted(open.toSeconds()));
    World world = world();
    NodeSettings relay = world.relay(mode).keys("a", 20).lease(Duration.ofSeconds(10));
    world.accounts().add(relay.keys());
    world.tables().execute("INSERT INTO account VALUES ('%s', 2)".formatted(UNLOCKED));
    world.cluster().start(2, relay);
    world.accounts().write(relay.keys(), 1, () -> true);
    world.awaitDelivered();
    try {
      Future<?> late = threads.submit(() -> writeLate(world));
      written.await();
      writeUnlocked(world);
      List<Duration> latencies = deliverOthers(world, relay.keys().subList(0, 18), open);
      assertThat(world.history().delivered("a19")).containsExactly(1);
      Future<?> next = threads.submit(() -> writeNext(world));
      mayCommit.countDown();
      late.get(1, TimeUnit.MINUTES);
      next.get(1, TimeUnit.MINUTES);
      world.awaitDelivered();

      Collections.sort(latencies);
      assertThat(latencies.get(latencies.size() / 2)).as("latency of others").isLessThan(SOON);
      assertThat(latencies.get(latencies.size() - 1))
          .as("longest latency of others")
          .isLessThan(LONGEST);
    } finally {
      threads.shutdownNow();
    }
    judgeOrder(world, mode);
    protocol.converged(judge(world).lag(committing));
  }

  private void judgeOrder(World world, Mode mode) throws Exception {
    world.settle();
    judge(world).nothingPending().nothingDead().noRepeats().deliveredWithin(LONGEST, committing);
    History history = world.history();
    assertThat(history.callsOn("a19").stream().skip(1))
        .hasSize(3)
        .allMatch(call -> call.begun() - committing > 0);
    assertThat(history.delivered(UNLOCKED)).containsExactlyInAnyOrder(1, 2);
    if (mode == Mode.ORDERED) {
      // PostgreSQL can't show what isn't committed, so without a lock nobody knows of it.
      boolean isSeen = server != Server.POSTGRES;
      new Checker(isSeen ? history : without(history, UNLOCKED), world.tables().rows()).inOrder();
    }
  }

  private static History without(History history, String key) {
    return new History(history.entries().stream().filter(entry -> !isAbout(entry, key)).toList());
  }

  private static boolean isAbout(Entry entry, String key) {
    Call call =
        entry instanceof Entry.Begins begins
            ? begins.call()
            : entry instanceof Entry.Ends ends ? ends.call() : null;
    return call != null && call.event().key().equals(key);
  }

  private boolean writeLate(World world) throws Exception {
    world.accounts().write(LATE, 2, () -> commitsLate(world));
    world.journal().committed(unlocked);
    return true;
  }

  private boolean commitsLate(World world) {
    EventEnvelope event = event(1);
    unlocked = world.journal().writes(List.of(event));
    writer(world).write(event);
    written.countDown();
    try {
      mayCommit.await();
    } catch (InterruptedException e) {
      return false;
    }
    committing = System.nanoTime();
    return true;
  }

  /** With a higher number, and committed at once. */
  private static void writeUnlocked(World world) throws Exception {
    EventEnvelope event = event(2);
    long number = world.journal().writes(List.of(event));
    try (var tx = world.outbox().begin()) {
      writer(world).write(event);
      tx.commit();
    }
    world.journal().committed(number);
  }

  private static boolean writeNext(World world) throws Exception {
    return world.accounts().write(LATE, 1, () -> true);
  }

  private static OutboxWriter writer(World world) {
    return new OutboxWriter(world.outbox().transactions(), world.outbox().store());
  }

  private static EventEnvelope event(int version) {
    return EventEnvelope.builder(Accounts.EVENT_TYPE)
        .aggregateType("Account")
        .aggregateId(UNLOCKED)
        .payloadJson(Payload.of(version, 0))
        .build();
  }

  /** One event after the other, each as soon as the one before was delivered. */
  private static List<Duration> deliverOthers(World world, List<String> keys, Duration duration)
      throws Exception {
    List<Duration> latencies = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; System.nanoTime() - start < duration.toNanos(); i++) {
      String key = keys.get(i % keys.size());
      int version = i / keys.size() + 2;
      long before = System.nanoTime();
      world.accounts().write(key, 1);
      world.awaitThat(() -> world.history().delivered(key).contains(version));
      latencies.add(Duration.ofNanos(System.nanoTime() - before));
    }
    return latencies;
  }
}
