package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.dispatch.UnroutablePolicy;
import outbox.model.EventStatus;
import outbox.testing.Harness;

/** A node that takes only what it has listeners for leaves the rest to nodes that know it. */
class RoutableOnlyTest {

  private final Harness harness = new Harness();
  private final List<Outbox> open = new ArrayList<>();

  static Stream<PollingBuilder<?>> builders() {
    return Stream.of(
        Outbox.singleNode(),
        Outbox.multiNode(),
        Outbox.singleNode().hotPath(false),
        Outbox.multiNode().hotPath(false));
  }

  @AfterEach
  void close() {
    open.forEach(Outbox::close);
  }

  @ParameterizedTest
  @MethodSource("builders")
  void leavesTypesWithoutListenerAsTheyAre(PollingBuilder<?> builder) {
    EventEnvelope early = stored("Newer");
    Outbox old = start(relay(builder).routableOnly());
    EventEnvelope late = EventEnvelope.ofJson("Newer", "{}");
    EventEnvelope known = Harness.event();

    harness.write(old.writer(), late);
    harness.write(old.writer(), known);

    harness.awaitDone(known);
    old.close();
    assertUntouched(early);
    assertUntouched(late);
    start(relay(Outbox.multiNode()).listener("Newer", harness.listener));
    harness.awaitDone(early, late);
    assertThat(harness.listener.count()).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("builders")
  void buriesNothingOfAnAggregateTypeWithoutListener(PollingBuilder<?> builder) {
    Outbox outbox =
        start(relay(builder).routableOnly().listener("Order", "Paid", harness.listener));
    EventEnvelope invoice = paid("Invoice");
    EventEnvelope order = paid("Order");

    harness.write(outbox.writer(), invoice);
    harness.write(outbox.writer(), order);

    harness.awaitDone(order);
    outbox.close();
    assertThat(harness.status(invoice)).isEqualTo(EventStatus.NEW);
    assertThat(harness.row(invoice).event().attempts()).isZero();
    assertThat(harness.row(invoice).lockedBy()).isNull();
  }

  @Test
  void policyForTheRestCanBeSet() {
    Outbox outbox =
        start(
            relay(Outbox.multiNode())
                .routableOnly()
                .listener("Order", "Paid", harness.listener)
                .dispatcher(settings -> settings.unroutable(UnroutablePolicy.DEAD)));
    EventEnvelope invoice = paid("Invoice");

    harness.write(outbox.writer(), invoice);

    harness.awaitStatus(EventStatus.DEAD, invoice);
  }

  @Test
  void registryThatCanNotTellItsTypesIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                stored(Outbox.multiNode())
                    .routableOnly()
                    .listenerRegistry((aggregateType, eventType) -> harness.listener)
                    .build())
        .withMessageContaining("eventTypes");
  }

  @Test
  void activeNodeThatIsAloneHasNobodyToLeaveEventsTo() {
    assertThatIllegalStateException()
        .isThrownBy(() -> relay(Outbox.multiNode()).singleActive().routableOnly().build())
        .withMessageContaining("singleActive")
        .withMessageContaining("UnroutablePolicy.LEAVE");
  }

  private void assertUntouched(EventEnvelope event) {
    assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
    assertThat(harness.row(event).lockedBy()).isNull();
    assertThat(harness.row(event).availableAt()).isEqualTo(harness.row(event).event().createdAt());
  }

  private EventEnvelope stored(String eventType) {
    EventEnvelope event = EventEnvelope.ofJson(eventType, "{}");
    harness.store.insertNew(null, event);
    return event;
  }

  private static EventEnvelope paid(String aggregateType) {
    return EventEnvelope.builder("Paid").aggregateType(aggregateType).payloadJson("{}").build();
  }

  private <B extends PollingBuilder<B>> B relay(PollingBuilder<B> builder) {
    return stored(builder).listener(Harness.TYPE, harness.listener);
  }

  private <B extends PollingBuilder<B>> B stored(PollingBuilder<B> builder) {
    return builder
        .store(harness.store)
        .connectionProvider(harness.store.connections())
        .txContext(harness.tx);
  }

  private Outbox start(OutboxBuilder<?> builder) {
    Outbox outbox = builder.build();
    open.add(outbox);
    outbox.start();
    return outbox;
  }
}
