package outbox.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.AggregateType;
import outbox.EventListener;
import outbox.EventType;
import outbox.StringAggregateType;
import outbox.StringEventType;

class DefaultListenerRegistryTest {

  private static final AggregateType ORDER = StringAggregateType.of("Order");
  private static final EventType PLACED = StringEventType.of("Placed");

  private final DefaultListenerRegistry registry = new DefaultListenerRegistry();
  private final EventListener listener = event -> {};

  @Test
  void everyWayToRegisterLeadsToTheListener() {
    registry
        .register("Order", "1", listener)
        .register(ORDER, StringEventType.of("2"), listener)
        .register(ORDER, "3", listener)
        .register("4", listener)
        .register(StringEventType.of("5"), listener);

    assertThat(registry.listenerFor("Order", "1")).isSameAs(listener);
    assertThat(registry.listenerFor("Order", "2")).isSameAs(listener);
    assertThat(registry.listenerFor("Order", "3")).isSameAs(listener);
    assertThat(registry.listenerFor("__GLOBAL__", "4")).isSameAs(listener);
    assertThat(registry.listenerFor("__GLOBAL__", "5")).isSameAs(listener);
  }

  @Test
  void nothingElseIsFound() {
    registry.register("Order", "Placed", listener);

    assertThat(registry.listenerFor("Order", "Paid")).isNull();
    assertThat(registry.listenerFor("User", "Placed")).isNull();
    assertThat(registry.listenerFor("__GLOBAL__", "Placed")).isNull();
  }

  @Test
  void secondListenerForTheSamePairIsRefused() {
    registry.register(ORDER, PLACED, listener);

    assertThatThrownBy(() -> registry.register("Order", "Placed", event -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Order")
        .hasMessageContaining("Placed");
    assertThat(registry.listenerFor("Order", "Placed")).isSameAs(listener);
  }

  @Test
  void colonsInNamesDoNotCollide() {
    EventListener other = event -> {};

    registry.register("a:b", "c", listener).register("a", "b:c", other);

    assertThat(registry.listenerFor("a:b", "c")).isSameAs(listener);
    assertThat(registry.listenerFor("a", "b:c")).isSameAs(other);
  }

  @Test
  void namesAndListenerMustBeThere() {
    assertThatThrownBy(() -> registry.register("T", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> registry.register((String) null, listener))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> registry.register("", listener))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> registry.register("", "T", listener))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> registry.register((AggregateType) null, PLACED, listener))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void eventTypesAreThoseRegisteredSoFar() {
    DefaultListenerRegistry registry = new DefaultListenerRegistry();
    assertThat(registry.eventTypes()).contains(Set.of());

    registry.register("Order", "Placed", event -> {}).register("Cart", "Placed", event -> {});
    registry.register("Paid", event -> {});

    assertThat(registry.eventTypes()).contains(Set.of("Placed", "Paid"));
  }

  @Test
  void registryMadeOfALambdaDoesNotKnowItsTypes() {
    ListenerRegistry registry = (aggregateType, eventType) -> null;

    assertThat(registry.eventTypes()).isEmpty();
  }
}
