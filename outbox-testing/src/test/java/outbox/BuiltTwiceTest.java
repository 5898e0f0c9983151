package outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.model.EventStatus;
import outbox.spi.EventFilter;
import outbox.testing.Harness;

/** What is set after an outbox was built concerns the ones that are built later, and only them. */
class BuiltTwiceTest {

  private final Harness first = new Harness();
  private final Harness second = new Harness();
  private final CountDownLatch release = new CountDownLatch(1);

  private static <B extends OutboxBuilder<B>> B on(Harness harness, B builder) {
    return builder
        .store(harness.store)
        .connectionProvider(harness.store.connections())
        .txContext(harness.tx)
        .purger(harness.store.purger())
        .metrics(harness.metrics);
  }

  @AfterEach
  void goOn() {
    release.countDown();
  }

  @Test
  void pollingOutboxesDeliverWhereTheyWereBuilt() {
    each(Outbox.singleNode().listener(Harness.TYPE, this::deliver));
    each(Outbox.multiNode().listener(Harness.TYPE, this::deliver));
  }

  @Test
  void relaysThatReadInTurnDeliverWhereTheyWereBuilt() {
    each(Outbox.multiNode().singleActive().listener(Harness.TYPE, this::deliver));
    each(Outbox.ordered().listener(Harness.TYPE, this::deliver));
  }

  /** Each reads, writes and counts on its own. */
  private <B extends RelayBuilder<B>> void each(B builder) {
    int before = first.metrics.successes();
    try (Outbox one = on(first, builder).build();
        Outbox other = on(second, builder).build()) {
      one.start();
      first.awaitDone(write(first, one));
      EventEnvelope notYet = write(second, other);
      assertThat(second.status(notYet)).isEqualTo(EventStatus.NEW);
      other.start();
      second.awaitDone(notYet, write(second, other));
    }
    assertThat(first.metrics.successes()).isEqualTo(before + 1);
  }

  @Test
  void pollingOutboxKeepsItsSettings() {
    MultiNodeBuilder builder =
        on(first, Outbox.multiNode())
            .nodeId("node-1")
            .interval(Harness.LONG)
            .listener(Harness.TYPE, event -> release.await());
    try (Outbox outbox = builder.build()) {
      builder
          .nodeId("node-2")
          .hotPath(false)
          .routableOnly()
          .filter(EventFilter.ALL.withTenantIds(Set.of("nobody")))
          .dispatcher(settings -> settings.workerCount(0))
          .poller(settings -> settings.filter(EventFilter.ALL.withTenantIds(Set.of("x"))));
      outbox.start();

      EventEnvelope event = write(first, outbox);

      assertThat(first.row(event).lockedBy()).isEqualTo("node-1");
      release.countDown();
      first.awaitDone(event);
      assertThat(first.metrics.hotEnqueued()).isEqualTo(1);
      EventEnvelope unroutable = EventEnvelope.ofJson("Unknown", "{}");
      first.write(outbox.writer(), unroutable);
      first.awaitStatus(EventStatus.DEAD, unroutable);
    }
  }

  @Test
  void orderedOutboxKeepsItsSettings() {
    OrderedBuilder builder =
        on(first, Outbox.ordered()).relay("mine").listener(Harness.TYPE, this::deliver);
    try (Outbox outbox = builder.build()) {
      builder.relay("others").batchSize(0);

      outbox.start();

      first.awaitDone(write(first, outbox));
    }
  }

  @Test
  void listenerThatIsAddedLaterIsForLaterOutboxes() {
    SingleNodeBuilder builder = on(first, Outbox.singleNode()).listener("Known", event -> {});
    try (Outbox before = builder.build();
        Outbox after = builder.listener(Harness.TYPE, this::deliver).build()) {
      before.start();
      EventEnvelope unroutable = write(first, before);
      first.awaitStatus(EventStatus.DEAD, unroutable);
      before.stop();

      after.start();

      first.awaitDone(write(first, after));
    }
  }

  private void deliver(EventEnvelope event) {}

  private static EventEnvelope write(Harness harness, Outbox outbox) {
    EventEnvelope event = Harness.event();
    harness.write(outbox.writer(), event);
    return event;
  }
}
