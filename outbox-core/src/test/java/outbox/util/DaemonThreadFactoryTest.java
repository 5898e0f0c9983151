package outbox.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DaemonThreadFactoryTest {

  @Test
  void threadsAreDaemonsNumberedFromOne() {
    DaemonThreadFactory factory = new DaemonThreadFactory("worker-");

    Thread first = factory.newThread(() -> {});
    Thread second = factory.newThread(() -> {});

    assertThat(first.getName()).isEqualTo("worker-1");
    assertThat(second.getName()).isEqualTo("worker-2");
    assertThat(first.isDaemon()).isTrue();
    assertThat(first.getState()).isEqualTo(Thread.State.NEW);
  }

  @Test
  void prefixIsRequired() {
    assertThatThrownBy(() -> new DaemonThreadFactory(null))
        .isInstanceOf(NullPointerException.class);
  }
}
