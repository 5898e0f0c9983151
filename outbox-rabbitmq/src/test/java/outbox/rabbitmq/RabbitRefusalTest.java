package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.destination.Destination;
import outbox.destination.UnavailableException;

/** And what only RabbitMQ itself does. */
@Tag("rabbitmq")
class RabbitRefusalTest extends RefusalScenarios {

  private RabbitBroker rabbit;

  @Override
  protected AmqpBroker newBroker() throws Exception {
    rabbit = new RabbitBroker();
    return rabbit;
  }

  @Test
  void partOfABatchThatAFullQueueRefusesFailsAndTheRestArrives() throws Exception {
    Channel channel = channel();
    queue(channel, "Limited", Map.of("x-max-length", 3, "x-overflow", "reject-publish"));
    Destination destination = open(fixture().builder("orders"));
    List<EventEnvelope> limited =
        List.of(event("Limited"), event("Limited"), event("Limited"), event("Limited"));
    assertThat(Answers.of(destination, limited.subList(0, 3)).failures()).isEmpty();
    EventEnvelope other = event("OrderPlaced");

    Answers answers = Answers.of(destination, limited.get(3), other);

    assertThat(answers.delivered()).containsExactly(other.eventId());
    requireFailedTry(answers.failure(limited.get(3)), limited.get(3));
    assertThat(answers.failure(limited.get(3))).hasMessageContaining("basic.nack");
  }

  @Test
  void brokerThatIsShortOfMemoryPausesTheDestinationAndGoesOnLater() throws Exception {
    Destination destination =
        open(fixture().builder("orders").confirmTimeout(Duration.ofSeconds(3)));
    assertThat(Answers.of(destination, event("OrderPlaced")).failures()).isEmpty();

    rabbit.alarm(true);
    Answers first = Answers.of(destination, event("OrderPlaced"));
    Answers second = Answers.of(destination, event("OrderPlaced"));
    rabbit.alarm(false);

    assertThat(first.failures().values())
        .singleElement()
        .satisfies(failure -> assertThat(failure).isInstanceOf(UnavailableException.class));
    assertThat(second.failures().values())
        .singleElement()
        .satisfies(failure -> assertThat(failure).hasMessageContaining("is blocked by its broker"));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Answers.of(destination, event("OrderPlaced")).failures().isEmpty());
  }
}
