package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.EventType;
import outbox.dead.DeadEventManager;
import outbox.model.EventStatus;
import outbox.spring.boot.Orders.OrderPlaced;

class ListenersTest {

  /** What listeners were given. */
  static class Seen {
    final List<Object> all = new CopyOnWriteArrayList<>();
  }

  enum OrderEvents implements EventType {
    PLACED,
    CANCELLED,
    SHIPPED
  }

  @OutboxListener
  @Retention(RetentionPolicy.RUNTIME)
  @interface OnOrder {
    OrderEvents[] value();
  }

  static class Parameters {

    private final Seen seen;

    Parameters(Seen seen) {
      this.seen = seen;
    }

    @OutboxListener("Bound")
    void bound(
        @OutboxHeader("trace") String trace,
        OrderPlaced order,
        EventEnvelope event,
        @OutboxHeader Map<String, String> headers,
        @OutboxHeader("missing") String missing) {
      seen.all.addAll(List.of(trace, order, event.eventType(), headers, missing == null));
    }

    @OutboxListener("Generic")
    void generic(List<OrderPlaced> orders) {
      seen.all.addAll(orders);
    }

    @OutboxListener("Bytes")
    void bytes(byte[] payload) {
      seen.all.add(new String(payload, StandardCharsets.UTF_8));
    }

    @SuppressWarnings("unused") // the outbox calls it
    @OutboxListener("Nothing")
    private void nothing() {
      seen.all.add("nothing");
    }
  }

  @Test
  void parametersAreGivenWhatTheyAskFor() {
    Map<String, String> headers = Map.of("trace", "t1");
    with(Parameters.class)
        .run(
            context -> {
              List<Object> seen = context.getBean(Seen.class).all;
              Applications.write(
                  context,
                  EventEnvelope.builder("Bound")
                      .headers(headers)
                      .payloadJson("{\"orderId\":1,\"unknown\":true}")
                      .build());
              Applications.until(() -> seen.size() == 5);
              assertThat(seen).containsExactly("t1", new OrderPlaced(1), "Bound", headers, true);

              Applications.write(context, "Generic", "[{\"orderId\":2}]");
              Applications.until(() -> seen.size() == 6);
              assertThat(seen).last().isEqualTo(new OrderPlaced(2));

              Applications.write(
                  context,
                  EventEnvelope.builder("Bytes").payloadBytes(new byte[] {'h', 'i'}).build());
              Applications.until(() -> seen.size() == 7);
              assertThat(seen).last().isEqualTo("hi");

              Applications.write(context, "Nothing", "{}");
              Applications.until(() -> seen.size() == 8);
            });
  }

  static class Types {

    private final Seen seen;

    Types(Seen seen) {
      this.seen = seen;
    }

    @OutboxListener({"A", "B"})
    @OutboxListener(value = "C", aggregateType = "Order")
    void several(EventEnvelope event) {
      seen.all.add("several " + event.eventType());
    }

    @OutboxListener("C")
    void others(EventEnvelope event) {
      seen.all.add("others " + event.aggregateType());
    }

    @OutboxListener(enumType = OrderEvents.class, value = "CANCELLED")
    void cancelled(EventEnvelope event) {
      seen.all.add("enum " + event.eventType());
    }

    @OnOrder({OrderEvents.PLACED, OrderEvents.SHIPPED})
    void checked(EventEnvelope event) {
      seen.all.add("checked " + event.eventType());
    }

    @OutboxListener("${orders.event}")
    void placeholder(EventEnvelope event) {
      seen.all.add("placeholder " + event.eventType());
    }
  }

  @Test
  void typesAreStringsConstantsAndPlaceholdersOfOneOrAnyAggregateType() {
    with(Types.class)
        .withPropertyValues("orders.event=FromProperty")
        .run(
            context -> {
              for (String type :
                  List.of("A", "B", "PLACED", "SHIPPED", "CANCELLED", "FromProperty")) {
                Applications.write(context, type, "{}");
              }
              for (String aggregateType : List.of("Order", "Invoice")) {
                Applications.write(
                    context,
                    EventEnvelope.builder("C")
                        .aggregateType(aggregateType)
                        .payloadJson("{}")
                        .build());
              }

              List<Object> seen = context.getBean(Seen.class).all;
              Applications.until(() -> seen.size() == 8);
              assertThat(seen)
                  .containsExactlyInAnyOrder(
                      "several A",
                      "several B",
                      "checked PLACED",
                      "checked SHIPPED",
                      "enum CANCELLED",
                      "placeholder FromProperty",
                      "several C",
                      "others Invoice");
            });
  }

  static class Futures {

    final CompletableFuture<Void> first = new CompletableFuture<>();

    final CountDownLatch called = new CountDownLatch(1);

    @OutboxListener("Async")
    CompletionStage<?> later() {
      called.countDown();
      return first;
    }

    @OutboxListener("Sync")
    void now() {}
  }

  @Test
  void anAsynchronousEventIsDeliveredWhenItsStageCompletes() {
    with(Futures.class)
        .run(
            context -> {
              String id = Applications.write(context, "Async", "{}");
              Futures futures = context.getBean(Futures.class);
              futures.called.await();
              String later = Applications.write(context, "Sync", "{}");
              DeadEventManager events = context.getBean(DeadEventManager.class);
              Applications.until(
                  () -> events.find(later).orElseThrow().status() == EventStatus.DONE);
              assertThat(events.find(id).orElseThrow().status()).isEqualTo(EventStatus.NEW);

              futures.first.complete(null);

              Applications.until(() -> events.find(id).orElseThrow().status() == EventStatus.DONE);
            });
  }

  interface Shipping {
    void ship(OrderPlaced order);
  }

  @Transactional
  static class TransactionalShipping implements Shipping {

    private final Seen seen;

    TransactionalShipping(Seen seen) {
      this.seen = seen;
    }

    @Override
    @OutboxListener("OrderPlaced")
    public void ship(OrderPlaced order) {
      seen.all.add(TransactionSynchronizationManager.isActualTransactionActive());
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void proxiesAreCalledOfClassesAndOfInterfaces(boolean ofClass) {
    with(TransactionalShipping.class)
        .withPropertyValues("spring.aop.proxy-target-class=" + ofClass)
        .run(
            context -> {
              Object bean = context.getBean("listeners");
              assertThat(AopUtils.isCglibProxy(bean)).isEqualTo(ofClass);
              assertThat(AopUtils.isJdkDynamicProxy(bean)).isEqualTo(!ofClass);

              Applications.write(context, "OrderPlaced", "{\"orderId\":1}");

              List<Object> seen = context.getBean(Seen.class).all;
              Applications.until(() -> !seen.isEmpty());
              assertThat(seen).containsExactly(true);
            });
  }

  @OutboxListener("OrderPlaced")
  @Transactional
  static class WholeClass implements EventListener {

    private final Seen seen;

    WholeClass(Seen seen) {
      this.seen = seen;
    }

    @Override
    public void onEvent(EventEnvelope event) {
      seen.all.add(TransactionSynchronizationManager.isActualTransactionActive());
    }
  }

  @Test
  void aWholeClassCanBeTheListener() {
    with(WholeClass.class)
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{}");

              List<Object> seen = context.getBean(Seen.class).all;
              Applications.until(() -> !seen.isEmpty());
              assertThat(seen).containsExactly(true);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"orderId":"secret-payload"}
          {"orderId":
          """)
  void anUnreadablePayloadIsDeadAtOnceAndNeverQuoted(String payload) {
    // Jackson would quote both in its messages.
    Applications.listening()
        .run(
            context -> {
              String id =
                  Applications.write(
                          context,
                          EventEnvelope.builder("OrderPlaced")
                              .payloadBytes(payload.getBytes(StandardCharsets.UTF_8))
                              .build())
                      .get(0);

              DeadEventManager events = context.getBean(DeadEventManager.class);
              Applications.until(() -> events.find(id).orElseThrow().status() == EventStatus.DEAD);
              assertThat(events.find(id).orElseThrow().lastError())
                  .contains(id, "OrderPlaced", OrderPlaced.class.getName(), "line 1")
                  .doesNotContain("secret", "orderId\"");
            });
  }

  private static ApplicationContextRunner with(Class<?> listeners) {
    return Applications.empty().withBean(Seen.class).withBean("listeners", listeners);
  }
}
