package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.RetryAfterException;

@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // they are found by reflection
class EventHandlersTest {

  private final EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{}");
  private final List<String> ran = new ArrayList<>();

  @Test
  void allHandlersRunInTheirOrder() throws Exception {
    deliver(
        EventHandlers.builder()
            .on("OrderPlaced", "mail", e -> ran.add("mail"))
            .on("OrderPlaced", "search", e -> ran.add("search"))
            .on("UserAdded", "mail", e -> ran.add("other"))
            .build());

    assertThat(ran).containsExactly("mail", "search");
  }

  @Test
  void allHandlersRunWhateverOneThrowsAndFailuresAreJoined() {
    EventHandlers handlers =
        EventHandlers.builder()
            .on("OrderPlaced", "mail", failing(new IllegalStateException("no server")))
            .on("OrderPlaced", "search", e -> ran.add("search"))
            .on("OrderPlaced", "stock", failing(new StackOverflowError()))
            .build();

    assertThatThrownBy(() -> deliver(handlers))
        .isExactlyInstanceOf(OutboxException.class)
        .hasMessageContaining("2 of 3 handlers of event " + event.eventId())
        .hasMessageContaining("mail: java.lang.IllegalStateException: no server")
        .hasMessageContaining("stock: java.lang.StackOverflowError")
        .satisfies(joined -> assertThat(joined.getSuppressed()).hasSize(2));
    assertThat(ran).containsExactly("search");
  }

  @Test
  void theJoinedFailureSaysWhatAllOfThemSay() {
    assertThatThrownBy(() -> deliver(failing("never", "never")))
        .isInstanceOf(NonRetryableException.class);
    assertThatThrownBy(() -> deliver(failing("never", "plain")))
        .isExactlyInstanceOf(OutboxException.class);
    assertThatThrownBy(() -> deliver(failing("later", "plain")))
        .isInstanceOfSatisfying(
            RetryAfterException.class,
            e -> assertThat(e.delayFrom(Instant.now())).isEqualTo(Duration.ofMinutes(5)));
    assertThatThrownBy(() -> deliver(failing("defer", "defer")))
        .isInstanceOfSatisfying(
            DeferException.class, e -> assertThat(e.delay()).isEqualTo(Duration.ofMinutes(1)));
  }

  @Test
  void aTypeWithoutHandlerIsUnroutableAndNoHandlerAtAllIsRefused() {
    EventHandlers handlers = EventHandlers.builder().on("A", "a", e -> {}).build();

    assertThat(handlers.listenerFor("Order", "OrderPlaced")).isNull();
    assertThat(handlers.eventTypes()).contains(Set.of("A"));
    assertThatThrownBy(() -> EventHandlers.builder().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no handler is registered");
  }

  @Test
  void methodsWithTheAnnotationAreHandlers() throws Exception {
    EventHandlers handlers = EventHandlers.builder().annotated(new Stock(ran)).build();

    deliver(handlers);

    assertThat(ran).containsExactly("counted", "reserved");
    assertThat(handlers.listenerFor("Order", "OrderCancelled")).isNotNull();
  }

  @Test
  void anExceptionOfAnAnnotatedMethodIsItsOwn() {
    EventHandlers handlers =
        EventHandlers.builder()
            .annotated(
                new Object() {
                  @Handles("OrderPlaced")
                  void fail(EventEnvelope event) {
                    throw new NonRetryableException("never");
                  }
                })
            .build();

    assertThatThrownBy(() -> deliver(handlers)).isInstanceOf(NonRetryableException.class);
  }

  @Test
  void aMethodOfAGenericInterfaceIsAHandlerOnce() throws Exception {
    deliver(EventHandlers.builder().annotated(new Mail(ran)).build());

    assertThat(ran).containsExactly("mailed");
  }

  @Test
  void anOverriddenMethodIsNoHandlerBesideTheOneThatOverridesIt() throws Exception {
    EventHandlers handlers = EventHandlers.builder().annotated(new LaterStock(ran)).build();

    deliver(handlers);

    assertThat(ran).containsExactly("counted later", "kept");
    assertThat(handlers.eventTypes()).contains(Set.of("OrderPlaced"));
  }

  @Test
  void aMethodOfAnotherShapeIsRefusedAtOnce() {
    List<Object> unusable =
        List.of(
            new Object() {
              @Handles("A")
              boolean answers(EventEnvelope event) {
                return true;
              }
            },
            new Object() {
              @Handles("A")
              void takesText(String payload) {}
            },
            new Object() {
              @Handles("A")
              void takesNothing() {}
            },
            new Object() {
              @Handles({})
              void hasNoType(EventEnvelope event) {}
            });

    for (Object object : unusable) {
      assertThatThrownBy(() -> EventHandlers.builder().annotated(object))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("method with @Handles must be");
    }
    assertThatThrownBy(() -> EventHandlers.builder().annotated("no handler"))
        .hasMessageContaining("must be one that has methods with @Handles");
  }

  @Test
  void twoHandlersOfOneNameAreRefused() {
    EventHandlers.Builder builder = EventHandlers.builder().on("A", "mail", e -> {});

    assertThatThrownBy(() -> builder.on("A", "mail", e -> {}))
        .hasMessage("name of the handler must be unique for event type A, got: mail");
    assertThatCode(() -> builder.on("B", "mail", e -> {})).doesNotThrowAnyException();
  }

  private void deliver(EventHandlers handlers) throws Exception {
    Objects.requireNonNull(handlers.listenerFor("Order", event.eventType())).onEvent(event);
  }

  private static EventHandlers failing(String... kinds) {
    EventHandlers.Builder builder = EventHandlers.builder();
    for (int i = 0; i < kinds.length; i++) {
      builder.on("OrderPlaced", "handler-" + i, failing(failure(kinds[i])));
    }
    return builder.build();
  }

  private static Throwable failure(String kind) {
    return switch (kind) {
      case "never" -> new NonRetryableException("never");
      case "later" -> new RetryAfterException(Duration.ofMinutes(5), "later");
      case "defer" -> new DeferException(Duration.ofMinutes(1), "not now");
      default -> new IllegalStateException(kind);
    };
  }

  private static EventListener failing(Throwable failure) {
    return event -> {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (Exception) failure;
    };
  }

  private interface Taking<T> {
    void take(T taken);
  }

  private record Mail(List<String> ran) implements Taking<EventEnvelope> {

    @Override
    @Handles("OrderPlaced")
    public void take(EventEnvelope event) {
      ran.add("mailed");
    }
  }

  private static class EarlierStock {

    final List<String> ran;

    EarlierStock(List<String> ran) {
      this.ran = ran;
    }

    @Handles({"OrderPlaced", "OrderCancelled"})
    void count(EventEnvelope event) {
      ran.add("counted");
    }

    @Handles("OrderPlaced")
    private void keep(EventEnvelope event) {
      ran.add("kept");
    }
  }

  private static final class LaterStock extends EarlierStock {

    LaterStock(List<String> ran) {
      super(ran);
    }

    @Override
    @Handles("OrderPlaced")
    void count(EventEnvelope event) {
      ran.add("counted later");
    }
  }

  private record Stock(List<String> ran) {

    @Handles({"OrderPlaced", "OrderCancelled"})
    void count(EventEnvelope event) {
      ran.add("counted");
    }

    @Handles("OrderPlaced")
    private void reserve(EventEnvelope event) {
      ran.add("reserved");
    }
  }
}
