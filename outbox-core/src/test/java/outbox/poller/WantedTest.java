package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.registry.DefaultListenerRegistry;
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
  void bothHaveToTakeAnEvent() {
    registry.register("A", event -> {}).register("B", event -> {});
    EventFilter filter = EventFilter.ALL.withEventTypes(Set.of("B", "C"));

    assertThat(new Wanted(() -> filter, registry).now())
        .contains(EventFilter.ALL.withEventTypes(Set.of("B")));
    assertThat(new Wanted(() -> filter.withEventTypes(Set.of("C")), registry).now()).isEmpty();
  }
}
