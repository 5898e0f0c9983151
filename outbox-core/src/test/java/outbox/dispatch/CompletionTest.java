package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.spi.Outcome;

class CompletionTest {

  private final Delivery delivery =
      new Delivery(
          new QueuedEvent(EventEnvelope.ofJson("T", "{}"), QueuedEvent.Source.COLD, 0),
          InFlight.Hold.NONE,
          null);

  @Test
  void workerWaitsForAStartAndNobodyForAnEnd() {
    assertThat(new Completion(delivery, new Outcome.Started(1)).isAwaited()).isTrue();
    assertThat(new Completion(delivery, new Outcome.Delivered(false)).isAwaited()).isFalse();
  }
}
