package outbox.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EventStatusTest {

  @Test
  void codesAreThoseOfTheColumn() {
    assertThat(EventStatus.values()).extracting(EventStatus::code).containsExactly(0, 1, 2, 3);
    assertThat(EventStatus.values())
        .containsExactly(EventStatus.NEW, EventStatus.DONE, EventStatus.RETRY, EventStatus.DEAD)
        .allSatisfy(status -> assertThat(EventStatus.of(status.code())).isSameAs(status));
  }

  @Test
  void unknownCodeIsRefused() {
    assertThatThrownBy(() -> EventStatus.of(4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4");
  }

  @Test
  void doneAndDeadAreFinal() {
    assertThat(EventStatus.DONE.isFinal()).isTrue();
    assertThat(EventStatus.DEAD.isFinal()).isTrue();
    assertThat(EventStatus.NEW.isFinal()).isFalse();
    assertThat(EventStatus.RETRY.isFinal()).isFalse();
  }
}
