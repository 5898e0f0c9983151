package outbox.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LookPaceTest {

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000); // it may overflow
  private final LookPace pace = new LookPace(nanos::get);

  @Test
  void firstLookIsDue() {
    assertThat(pace.isDue()).isTrue();
  }

  @Test
  void cheapLookIsMadeWheneverOneLikes() {
    look(Duration.ofMillis(2));

    assertThat(isDueAfter(Duration.ofMillis(200))).isTrue();
  }

  @Test
  void expensiveLookIsMadeInAHundredthOfTheTime() {
    look(Duration.ofMillis(300));
    look(Duration.ofMillis(300));

    assertThat(isDueAfter(Duration.ofSeconds(29))).isFalse();
    assertThat(isDueAfter(Duration.ofSeconds(1))).isTrue();
  }

  @Test
  void firstLookOfAProcessMakesNothingExpensive() {
    look(Duration.ofMillis(300));

    assertThat(isDueAfter(Duration.ZERO)).isTrue();
  }

  @Test
  void lookThatWaitedForSomebodyMakesNothingExpensive() {
    look(Duration.ofMillis(2));
    look(Duration.ofSeconds(10));

    assertThat(isDueAfter(Duration.ofMillis(200))).isTrue();
  }

  @Test
  void everyMinuteALookIsMadeWhateverItCosts() {
    look(Duration.ofSeconds(5));
    look(Duration.ofSeconds(5));

    assertThat(isDueAfter(Duration.ofSeconds(59))).isFalse();
    assertThat(isDueAfter(Duration.ofSeconds(1))).isTrue();
  }

  private void look(Duration cost) {
    long start = nanos.getAndAdd(cost.toNanos());
    pace.looked(start);
  }

  private boolean isDueAfter(Duration pause) {
    nanos.addAndGet(pause.toNanos());
    return pace.isDue();
  }
}
