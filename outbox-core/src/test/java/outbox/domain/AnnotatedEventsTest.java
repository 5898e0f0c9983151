package outbox.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import outbox.AggregateType;
import outbox.EventEnvelope;
import outbox.OutboxException;

class AnnotatedEventsTest {

  private static final Instant NOON = Instant.parse("2026-11-17T12:00:00Z");

  private final EventMapper mapper = EventMapper.annotated(event -> "{}");

  @OutboxEvent
  record Plain() {}

  @Test
  void eventTypeIsTheNameOfTheClass() {
    EventEnvelope event = mapper.map(new Plain());

    assertThat(event.eventType()).isEqualTo("Plain");
    assertThat(event.aggregateType()).isEqualTo(AggregateType.GLOBAL.name());
    assertThat(event.aggregateId()).isNull();
    assertThat(event.tenantId()).isNull();
    assertThat(event.headers()).isEmpty();
    assertThat(event.payloadJson()).isEqualTo("{}");
  }

  enum Channel {
    WEB {
      @Override
      public String toString() {
        return "the web";
      }
    }
  }

  record OrderId(UUID value) {}

  @OutboxEvent(
      value = "order.placed",
      aggregateType = "Order",
      aggregateId = "orderId.value",
      tenantId = "tenant",
      eventId = "id",
      occurredAt = "at",
      headers = {"channel", "correlation-id = request", "schema-version=version"})
  record OrderPlaced(
      String id, OrderId orderId, String tenant, Channel channel, String request, Instant at) {
    int version() {
      return 3;
    }
  }

  @Test
  void membersBecomeWhatTheAnnotationSays() {
    UUID orderId = UUID.randomUUID();

    EventEnvelope event =
        mapper.map(new OrderPlaced("e-1", new OrderId(orderId), "acme", Channel.WEB, "r-7", NOON));

    assertThat(event.eventType()).isEqualTo("order.placed");
    assertThat(event.aggregateType()).isEqualTo("Order");
    assertThat(event.aggregateId()).isEqualTo(orderId.toString());
    assertThat(event.tenantId()).isEqualTo("acme");
    assertThat(event.eventId()).isEqualTo("e-1");
    assertThat(event.occurredAt()).isEqualTo(NOON);
    assertThat(event.headers())
        .isEqualTo(Map.of("channel", "WEB", "correlation-id", "r-7", "schema-version", "3"));
  }

  @Test
  void tenantAndHeadersMayBeNull() {
    EventEnvelope event =
        mapper.map(new OrderPlaced("e-1", new OrderId(UUID.randomUUID()), null, null, null, NOON));

    assertThat(event.tenantId()).isNull();
    assertThat(event.headers()).isEqualTo(Map.of("schema-version", "3"));
  }

  @Test
  void aggregateIdMustNotBeNull() {
    for (OrderId none : new OrderId[] {null, new OrderId(null)}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> mapper.map(new OrderPlaced("e", none, null, null, null, NOON)))
          .withMessage(
              "aggregateId (orderId.value) of %s must not be null", OrderPlaced.class.getName());
    }
  }

  @Test
  void momentMustNotBeNull() {
    OrderId id = new OrderId(UUID.randomUUID());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> mapper.map(new OrderPlaced("e", id, null, null, null, null)))
        .withMessageContainingAll("occurredAt (at)", "java.time.Instant, got: null");
  }

  @OutboxEvent(aggregateType = "Order", aggregateId = "number")
  abstract static class OrderEvent {
    final long number;

    OrderEvent(long number) {
      this.number = number;
    }
  }

  static class Shipped extends OrderEvent {
    Shipped() {
      super(7);
    }
  }

  @OutboxEvent("shipped.to")
  static final class ShippedAbroad extends Shipped {}

  @OutboxEvent(aggregateType = "Parcel", aggregateId = "parcelId", headers = "urgent")
  interface ParcelEvent {
    default String parcelId() {
      return "p-1";
    }

    default boolean isUrgent() {
      return true;
    }
  }

  record ParcelPacked() implements ParcelEvent {}

  @Test
  void anAnnotationIsInheritedAndTheTypeIsEachClassesOwn() {
    EventEnvelope shipped = mapper.map(new Shipped());
    EventEnvelope packed = mapper.map(new ParcelPacked());

    assertThat(shipped.eventType()).isEqualTo("Shipped");
    assertThat(shipped.aggregateId()).isEqualTo("7");
    assertThat(packed.eventType()).isEqualTo("ParcelPacked");
    assertThat(packed.aggregateId()).isEqualTo("p-1");
    assertThat(packed.headers()).isEqualTo(Map.of("urgent", "true"));
  }

  @Test
  void theNearestAnnotationReplacesThoseAbove() {
    EventEnvelope event = mapper.map(new ShippedAbroad());

    assertThat(event.eventType()).isEqualTo("shipped.to");
    assertThat(event.aggregateId()).isNull();
  }

  static final class ShippedParcel extends Shipped implements ParcelEvent {}

  @Test
  void twoInheritedAnnotationsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mapper.map(new ShippedParcel()))
        .withMessageContaining("annotate the class itself");
  }

  @Test
  void whatIsNotAnnotatedIsNoneForTheOutbox() {
    assertThat(mapper.supports("text")).isFalse();
    assertThat(mapper.supports(new Shipped())).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mapper.map("text"))
        .withMessage("java.lang.String is no event for the outbox: annotate it with @OutboxEvent");
  }

  @OutboxEvent(aggregateId = "ordrId")
  record Misspelt(int orderId) {}

  @OutboxEvent(headers = "= orderId")
  record Nameless(int orderId) {}

  @Test
  void theTypeIsKnownWithoutAnEventAndSoIsWhatCannotWork() {
    assertThat(EventClasses.annotated().eventType(Shipped.class)).isEqualTo("Shipped");
    assertThat(EventClasses.annotated().eventType(OrderPlaced.class)).isEqualTo("order.placed");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EventClasses.annotated().eventType(Misspelt.class))
        .withMessageContainingAll("aggregateId", Misspelt.class.getName(), "got: ordrId");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EventClasses.annotated().eventType(Nameless.class))
        .withMessageContaining("got: \"= orderId\"");
  }

  @OutboxEvent(aggregateId = "orderId")
  record Wrapped(OrderId orderId) {}

  @Test
  void theTextOfAnObjectIsNoId() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mapper.map(new Wrapped(new OrderId(UUID.randomUUID()))))
        .withMessageContainingAll(
            "aggregateId (orderId)", OrderId.class.getName(), "orderId.value");
  }

  @Test
  void aPayloadThatCannotBeWrittenIsToldWithItsCause() {
    IOException cause = new IOException("no JSON today");
    EventMapper broken =
        EventMapper.annotated(
            event -> {
              throw cause;
            });

    assertThatThrownBy(() -> broken.map(new Plain()))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining(Plain.class.getName())
        .hasCause(cause);
  }

  @OutboxEvent(aggregateType = "Order", aggregateId = "orderId")
  @Retention(RetentionPolicy.RUNTIME)
  @interface OfAnOrder {}

  @OfAnOrder
  @Retention(RetentionPolicy.RUNTIME)
  @interface Composed {}

  @Composed
  record Cancelled(int orderId) {}

  @Test
  void anAnnotationThatCarriesItCountsToo() {
    EventEnvelope event = mapper.map(new Cancelled(4));

    assertThat(event.eventType()).isEqualTo("Cancelled");
    assertThat(event.aggregateType()).isEqualTo("Order");
    assertThat(event.aggregateId()).isEqualTo("4");
    assertThat(mapper.supports(NOON)).isFalse();
  }

  static final class Elsewhere {

    @OutboxEvent
    record Plain() {}

    @OutboxEvent("order.placed")
    record OrderMade() {}

    record Cancelled(int orderId) implements Inherited {}
  }

  @OutboxEvent(aggregateId = "orderId")
  interface Inherited {}

  static final class Another {

    record Cancelled(int orderId) implements Inherited {}
  }

  @Test
  void twoClassesWithOneEventTypeAreRefusedWhicheverComesFirst() {
    mapper.map(new Plain());
    assertSameType(new Elsewhere.Plain(), Plain.class);
    mapper.map(new Plain());

    mapper.map(new Elsewhere.OrderMade());
    assertSameType(
        new OrderPlaced("e", new OrderId(UUID.randomUUID()), null, null, null, NOON),
        Elsewhere.OrderMade.class);

    mapper.map(new Elsewhere.Cancelled(1));
    assertSameType(new Another.Cancelled(1), Elsewhere.Cancelled.class);
  }

  private void assertSameType(Object later, Class<?> earlier) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mapper.map(later))
        .withMessageContainingAll("same event type", earlier.getName(), later.getClass().getName());
  }

  @OutboxEvent("stock.changed")
  interface StockChanged {}

  record Sold() implements StockChanged {}

  record Bought() implements StockChanged {}

  @Test
  void aTypeThatIsNamedForAllIsSharedByAll() {
    assertThat(mapper.map(new Sold()).eventType()).isEqualTo("stock.changed");
    assertThat(mapper.map(new Bought()).eventType()).isEqualTo("stock.changed");
  }

  @OutboxEvent(headers = "outbox-occurred-at = orderId")
  record Reserved(int orderId) {}

  @Test
  void headersOfTheOutboxItselfAreRefusedWithoutAnEvent() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EventClasses.annotated().eventType(Reserved.class))
        .withMessageContainingAll(Reserved.class.getName(), "header name", "outbox-occurred-at");
  }
}
