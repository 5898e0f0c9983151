package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.destination.UnavailableException;

class BatchTest {

  private final NackedException nack = new NackedException("no room");

  private final Answers answers = new Answers();
  private final List<EventEnvelope> events = BrokerScenarios.events(3);
  private final Batch batch = new Batch(events.size(), answers);

  @Test
  void batchThatIsNackedAsAWholeTellsOfAnOutage() {
    fail(2, nack);
    fail(0, nack);
    assertThat(batch.stage()).isNotDone();
    fail(1, nack);

    requirePutOff(2);
    requirePutOff(0);
    assertThat(answers.failure(events.get(1))).isInstanceOf(UnavailableException.class);
    assertThat(batch.stage()).isDone();
  }

  @Test
  void whatIsNackedBesideADeliveredEventIsPutOff() {
    fail(0, nack);
    batch.delivered(events.get(1));
    fail(2, nack);

    requirePutOff(0);
    requirePutOff(2);
  }

  @Test
  void whatIsNackedBesideARefusedEventIsPutOff() {
    fail(0, new NonRetryableException("too large"));
    fail(1, nack);
    fail(2, nack);

    requirePutOff(1);
    requirePutOff(2);
  }

  @Test
  void whatFollowsANackedEventOfItsAggregateIsNotPublishedAndTellsOfTheOutageWithIt() {
    EventEnvelope first = BrokerScenarios.event("OrderPlaced", "order");
    EventEnvelope second = BrokerScenarios.event("OrderPaid", "order");
    EventEnvelope other = BrokerScenarios.event("OrderPaid", "another");
    Batch ordered = new Batch(2, answers);

    ordered.failed(first, 0, nack);

    assertThat(ordered.obstacle(other, 1)).isNull();
    Throwable obstacle = ordered.obstacle(second, 1);
    assertThat(obstacle)
        .hasMessageContaining(second.eventId())
        .hasMessageContaining("event " + first.eventId() + " of the same aggregate before it");
    ordered.failed(second, 1, obstacle);
    assertThat(answers.failure(first)).isInstanceOf(DeferException.class);
    assertThat(answers.failure(second)).isInstanceOf(UnavailableException.class);
  }

  private void fail(int position, Throwable failure) {
    batch.failed(events.get(position), position, failure);
  }

  private void requirePutOff(int position) {
    assertThat(answers.failure(events.get(position)))
        .isInstanceOfSatisfying(
            DeferException.class,
            failure ->
                assertThat(failure.delay())
                    .isBetween(Duration.ofSeconds(5), Duration.ofMillis(7500)))
        .hasMessage("no room");
  }
}
