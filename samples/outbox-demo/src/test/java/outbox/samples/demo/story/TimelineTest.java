package outbox.samples.demo.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimelineTest {

  private final Timeline timeline = new Timeline(Duration.ofSeconds(1));

  @Test
  void whatHeldOnceIsToldAsTrueThoughItHoldsNoLonger() throws InterruptedException {
    List<Boolean> answers = List.of(false, true, false);
    AtomicInteger asked = new AtomicInteger();

    timeline.tellOnce(() -> answers.get(asked.getAndIncrement()), () -> "it came true");

    assertThat(timeline.moments()).extracting(Moment::text).containsExactly("it came true");
  }
}
