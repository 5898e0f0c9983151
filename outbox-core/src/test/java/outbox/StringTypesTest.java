package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StringTypesTest {

  @Test
  void typesAreTheirNames() {
    StringEventType eventType = StringEventType.of("OrderPlaced");
    StringAggregateType aggregateType = StringAggregateType.of("Order");

    assertThat(eventType.name()).isEqualTo("OrderPlaced");
    assertThat(eventType).hasToString("OrderPlaced").isEqualTo(new StringEventType("OrderPlaced"));
    assertThat(aggregateType.name()).isEqualTo("Order");
    assertThat(aggregateType).hasToString("Order").isEqualTo(new StringAggregateType("Order"));
  }

  @Test
  void namesMustBeThere() {
    assertThatThrownBy(() -> StringEventType.of(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> StringEventType.of("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> StringAggregateType.of(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> StringAggregateType.of(""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void globalAggregateTypeHasItsReservedName() {
    assertThat(AggregateType.GLOBAL.name()).isEqualTo("__GLOBAL__");
  }
}
