package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.spi.EventFilter;

class WantedTest {

  private final DefaultListenerRegistry registry = new DefaultListenerRegistry();

  @Test
  void withoutARegistryTheFilterDecides() {
    assertThat(new Wanted(() -> EventFilter.ALL, null).now()).contains(EventFilter.ALL);
  }

  @Test
  void registryThatKnowsNothingOfItsTypesChangesNothing() {
    assertThat(new Wanted(() -> EventFilter.ALL, (a, e) -> null).now()).contains(EventFilter.ALL);
  }

  @Test
  void emptyRegistryWantsNothing() {
    Wanted wanted = new Wanted(() -> EventFilter.ALL, registry);

    assertThat(wanted.now()).isEmpty();
    assertThat(wanted.takes(EventEnvelope.ofJson("A", "{}"))).isFalse();
  }

  @Test
  void lateRegistrationCounts() {
    Wanted wanted = new Wanted(() -> EventFilter.ALL, registry);

    registry.register("A", event -> {}).register("Order", "B", event -> {});

    assertThat(wanted.now()).contains(EventFilter.ALL.withEventTypes(Set.of("A", "B")));
    assertThat(wanted.takes(EventEnvelope.ofJson("A", "{}"))).isTrue();
    assertThat(wanted.takes(EventEnvelope.ofJson("C", "{}"))).isFalse();
  }

  @Test
  void eachEventIsLookedUpWithoutALookAtAllTypes() {
    Wanted wanted =
        new Wanted(() -> EventFilter.ALL.withTenantIds(Set.of("t")), telling(unreadable("A")));

    assertThat(wanted.takes(ofTenant("A", "t"))).isTrue();
    assertThat(wanted.takes(ofTenant("B", "t"))).isFalse();
    assertThat(wanted.takes(ofTenant("A", "u"))).isFalse();
  }

  @Test
  void bothHaveToTakeAnEvent() {
    registry.register("A", event -> {}).register("B", event -> {});
    EventFilter filter = EventFilter.ALL.withEventTypes(Set.of("B", "C"));

    Wanted wanted = new Wanted(() -> filter, registry);
    assertThat(wanted.now()).contains(EventFilter.ALL.withEventTypes(Set.of("B")));
    assertThat(wanted.takes(EventEnvelope.ofJson("A", "{}"))).isFalse();
    assertThat(wanted.takes(EventEnvelope.ofJson("B", "{}"))).isTrue();
    assertThat(wanted.takes(EventEnvelope.ofJson("C", "{}"))).isFalse();
    assertThat(new Wanted(() -> filter.withEventTypes(Set.of("C")), registry).now()).isEmpty();
  }

  private static EventEnvelope ofTenant(String eventType, String tenantId) {
    return EventEnvelope.builder(eventType).tenantId(tenantId).payloadJson("{}").build();
  }

  private static ListenerRegistry telling(Set<String> eventTypes) {
    return new ListenerRegistry() {
      @Override
      public EventListener listenerFor(String aggregateType, String eventType) {
        throw new AssertionError("not asked for");
      }

      @Override
      public Optional<Set<String>> eventTypes() {
        return Optional.of(eventTypes);
      }
    };
  }

  /** Knows its only element, but nobody can go through it. */
  private static Set<String> unreadable(String element) {
    return new AbstractSet<>() {
      @Override
      public boolean contains(Object other) {
        return element.equals(other);
      }

      @Override
      public Iterator<String> iterator() {
        throw new AssertionError("all types are read for one event");
      }

      @Override
      public int size() {
        return 1;
      }
    };
  }
}
