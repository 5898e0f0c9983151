package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.dispatch.CompletionMode;
import outbox.dispatch.UnroutablePolicy;
import outbox.model.EventStatus;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.Notifications;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;
import outbox.testing.RecordingWriterHook;

/** The composite: what it wires, what it refuses, and how it starts and stops. */
class OutboxTest {

  private final Harness harness = new Harness();
  private final List<Outbox> open = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    open.forEach(Outbox::close);
  }

  @Test
  void nothingIsDeliveredBeforeTheStart() {
    Outbox outbox = build(relay(Outbox.singleNode()));
    EventEnvelope early = write(outbox);
    assertThat(outbox.status()).isEqualTo(new OutboxStatus(OutboxStatus.State.READY, 0, 0, 0));

    outbox.start();

    harness.awaitDone(early);
    assertThat(outbox.status().state()).isEqualTo(OutboxStatus.State.STARTED);
  }

  @Test
  void hotPathDeliversWithoutAPoll() {
    Outbox outbox =
        build(relay(Outbox.multiNode()).poller(settings -> settings.intervalMs(60_000)));
    outbox.start();

    harness.awaitDone(write(outbox), write(outbox));

    assertThat(harness.metrics.hotEnqueued()).isEqualTo(2);
  }

  @Test
  void withoutHotPathEventsComeFromTheDatabase() {
    Outbox outbox = build(relay(Outbox.multiNode()).hotPath(false));
    outbox.start();

    harness.awaitDone(write(outbox));

    assertThat(harness.metrics.hotEnqueued()).isZero();
    assertThat(harness.metrics.coldEnqueued()).isEqualTo(1);
  }

  @Test
  void listenerOfAnEventTypeGetsItWhateverTheAggregateType() {
    List<EventEnvelope> invoices = new CopyOnWriteArrayList<>();
    Outbox outbox =
        build(relay(Outbox.singleNode()).listener("Invoice", Harness.TYPE, invoices::add));
    outbox.start();
    EventEnvelope order = ofAggregateType("Order");
    EventEnvelope invoice = ofAggregateType("Invoice");

    harness.write(outbox.writer(), order, invoice);

    harness.awaitDone(order, invoice);
    assertThat(harness.listener.eventIds()).containsExactly(order.eventId());
    assertThat(invoices).extracting(EventEnvelope::eventId).containsExactly(invoice.eventId());
  }

  @Test
  void othersAreToldOfWhatIsNotDeliveredHere() {
    AtomicInteger sent = new AtomicInteger();
    Outbox outbox =
        build(
            relay(Outbox.multiNode())
                .notifications(counting(sent))
                .dispatcher(settings -> settings.unroutable(UnroutablePolicy.LEAVE)));
    outbox.start();

    harness.awaitDone(write(outbox));
    assertThat(sent).hasValue(0);

    harness.write(outbox.writer(), EventEnvelope.ofJson("ForOthers", "{}"));
    assertThat(sent).hasValue(1);
  }

  @Test
  void multiNodeClaimsUnderItsName() {
    CountDownLatch release = new CountDownLatch(1);
    harness.onEvent(event -> release.await());
    Outbox outbox = build(relay(Outbox.multiNode().nodeId("node-7")));
    outbox.start();

    EventEnvelope event = write(outbox);

    assertThat(harness.row(event).lockedBy()).isEqualTo("node-7");
    release.countDown();
    harness.awaitDone(event);
  }

  @Test
  void usersHookSeesEveryWriteBeforeAndAfterTheStart() {
    RecordingWriterHook hook = new RecordingWriterHook();
    Outbox outbox = build(relay(Outbox.singleNode()).writerHook(hook));
    EventEnvelope first = write(outbox);
    outbox.start();
    EventEnvelope second = write(outbox);

    harness.awaitDone(first, second);
    assertThat(hook.calls())
        .filteredOn(call -> call.step() == RecordingWriterHook.Step.AFTER_COMMIT)
        .flatExtracting(RecordingWriterHook.Call::events)
        .containsExactly(first, second);
  }

  @Test
  void partsCanBeSetInDetail() {
    harness.failFirst(100);
    Outbox outbox =
        build(
            relay(Outbox.singleNode())
                .dispatcher(settings -> settings.maxAttempts(2))
                .dispatcher(settings -> settings.retryPolicy(attempts -> 1)));
    outbox.start();

    EventEnvelope event = write(outbox);

    harness.awaitStatus(EventStatus.DEAD, event);
    assertThat(harness.row(event).event().attempts()).isEqualTo(2);
    assertThat(outbox.dead().count(null)).isEqualTo(1);
  }

  @Test
  void endedEventsArePurgedUnlessTheyAreKept() {
    EventEnvelope old = harness.stored();
    harness.store.markDone(null, old.eventId());
    Outbox keeping = build(relay(Outbox.singleNode()).keepEnded());
    keeping.start();
    harness.awaitDone(write(keeping));
    assertThat(harness.store.find(old.eventId())).isPresent();
    keeping.close();

    Outbox purging =
        build(relay(Outbox.singleNode()).purge(settings -> settings.retention(Duration.ZERO)));
    purging.start();

    Harness.eventually(() -> harness.store.find(old.eventId()).isEmpty());
  }

  @Test
  void writerOnlyDeliversNothing() {
    Outbox outbox =
        build(
            Outbox.writerOnly()
                .store(harness.store)
                .connectionProvider(harness.store.connections())
                .txContext(harness.tx));
    outbox.start();

    EventEnvelope event = write(outbox);

    assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
    assertThat(outbox.status().state()).isEqualTo(OutboxStatus.State.STARTED);
  }

  @Test
  void stoppedOutboxDeliversAgainOnceItIsStarted() {
    deliversAgain(relay(Outbox.singleNode()));
    deliversAgain(relay(Outbox.multiNode()));
    deliversAgain(
        relay(Outbox.multiNode().singleActive().batchSize(1).interval(Duration.ofMillis(10))));
    deliversAgain(relay(Outbox.ordered()));
  }

  private void deliversAgain(RelayBuilder<?> builder) {
    Outbox outbox = build(builder);
    outbox.start();
    harness.awaitDone(write(outbox));

    outbox.stop();
    outbox.stop();
    EventEnvelope meanwhile = write(outbox);
    assertThat(outbox.status().state()).isEqualTo(OutboxStatus.State.READY);
    assertThat(harness.status(meanwhile)).isEqualTo(EventStatus.NEW);
    outbox.start();

    harness.awaitDone(meanwhile, write(outbox));
    assertThat(outbox.status().state()).isEqualTo(OutboxStatus.State.STARTED);
    outbox.close();
  }

  @Test
  void hotPathIsThereAgainAfterAStop() {
    Outbox outbox = build(relay(Outbox.multiNode().interval(Harness.LONG)));
    outbox.start();
    outbox.stop();
    outbox.start();

    harness.awaitDone(write(outbox));

    assertThat(harness.metrics.hotEnqueued()).isEqualTo(1);
  }

  @Test
  void stopHasNoEffectOnAClosedOutbox() {
    Outbox outbox = build(relay(Outbox.singleNode()));
    outbox.close();

    outbox.stop();

    assertThat(outbox.status().state()).isEqualTo(OutboxStatus.State.CLOSED);
  }

  @Test
  void impossibleReadsAreRefused() {
    assertThatThrownBy(() -> Outbox.multiNode().batchSize(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("batchSize");
    assertThatThrownBy(() -> Outbox.singleNode().interval(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("interval");
  }

  @Test
  void closedOutboxStillWrites() {
    Outbox outbox = build(relay(Outbox.singleNode()));
    outbox.start();
    outbox.close();
    outbox.close();

    EventEnvelope event = write(outbox);

    assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
    assertThat(outbox.status().state()).isEqualTo(OutboxStatus.State.CLOSED);
    assertThatThrownBy(outbox::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("build a new one");
  }

  @Test
  void partThatCanNotBeBuiltLeavesNothingRunning() {
    Outbox outbox = build(relay(Outbox.singleNode()).poller(settings -> settings.batchSize(0)));
    Set<Thread> before = Thread.getAllStackTraces().keySet();

    assertThatThrownBy(outbox::start).isInstanceOf(IllegalArgumentException.class);

    assertThat(outbox.status().state()).isEqualTo(OutboxStatus.State.READY);
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.isAlive() && !before.contains(thread))
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("outbox-poller"));
  }

  @Test
  void contradictionsAreRefused() {
    assertThatThrownBy(() -> Outbox.singleNode().build()).hasMessageContaining("store");
    assertThatThrownBy(() -> stored(Outbox.singleNode()).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no listener");
    assertThatThrownBy(
            () -> relay(Outbox.multiNode()).listenerRegistry(new DefaultListenerRegistry()).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("both");
    assertThatThrownBy(
            () ->
                relay(Outbox.multiNode())
                    .keepEnded()
                    .purge(settings -> settings.batchSize(7))
                    .build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("keepEnded");
    assertThatThrownBy(() -> Outbox.multiNode().lease(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Outbox.multiNode().nodeId(""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void deletionIsRefusedWhereTheStoreCanNot() {
    Outbox outbox =
        build(
            relay(Outbox.singleNode())
                .store(new DelegatingStore(harness.store))
                .dispatcher(settings -> settings.completion(CompletionMode.DELETE)));

    assertThatThrownBy(outbox::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("can't delete");
  }

  private <B extends RelayBuilder<B>> B relay(B builder) {
    return stored(builder).listener(Harness.TYPE, harness.listener);
  }

  private <B extends RelayBuilder<B>> B stored(B builder) {
    return builder
        .store(harness.store)
        .connectionProvider(harness.store.connections())
        .txContext(harness.tx)
        .purger(harness.store.purger())
        .metrics(harness.metrics);
  }

  private static Notifications counting(AtomicInteger sent) {
    return new Notifications() {
      @Override
      public Sender sender() {
        return new Sender() {
          @Override
          public void send() {
            sent.incrementAndGet();
          }

          @Override
          public void close() {}
        };
      }

      @Override
      public Subscription subscribe(Runnable woken) {
        return () -> {};
      }
    };
  }

  private Outbox build(OutboxBuilder<?> builder) {
    Outbox outbox = builder.build();
    open.add(outbox);
    return outbox;
  }

  private static EventEnvelope ofAggregateType(String aggregateType) {
    return EventEnvelope.builder(Harness.TYPE)
        .aggregateType(aggregateType)
        .payloadJson("{}")
        .build();
  }

  private EventEnvelope write(Outbox outbox) {
    EventEnvelope event = Harness.event();
    harness.write(outbox.writer(), event);
    return event;
  }
}
