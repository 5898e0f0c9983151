package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.destination.Destination;
import outbox.destination.DestinationHealth;
import outbox.destination.GuardedDestination;
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

  @Override
  protected void requireNoRoute(Throwable failure) {
    assertThat(failure)
        .isNotInstanceOf(DeferException.class)
        .isNotInstanceOf(UnavailableException.class)
        .isNotInstanceOf(NonRetryableException.class)
        .hasMessageContaining("reached no queue");
  }

  @Test
  void partOfABatchThatAFullQueueRefusesIsPutOffAndTheRestArrives() throws Exception {
    Destination destination = openWithFullQueue(channel());
    EventEnvelope limited = event("Limited");
    EventEnvelope other = event("OrderPlaced");

    Answers answers = Answers.of(destination, limited, other);

    assertThat(answers.delivered()).containsExactly(other.eventId());
    assertThat(answers.failure(limited))
        .isInstanceOf(DeferException.class)
        .hasMessageContaining(limited.eventId())
        .hasMessageContaining("basic.nack");
  }

  @Test
  void fullQueueThatTakesNothingIsAnOutageUntilItIsEmptied() throws Exception {
    Channel channel = channel();
    GuardedDestination guard = opened(new GuardedDestination(openWithFullQueue(channel)));

    for (int i = 0; i < 3; i++) {
      assertThat(sent(guard).failures().values())
          .hasSize(2)
          .allSatisfy(failure -> assertThat(failure).isInstanceOf(DeferException.class));
    }
    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.DOWN);
    assertThat(guard.health().lastError()).contains("basic.nack");

    channel.queuePurge("test-Limited");
    await().atMost(Duration.ofMinutes(1)).until(() -> sent(guard).delivered().size() == 2);
    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.UP);
  }

  @Test
  void routingKeyThatTheUserMayNotWriteFailsItsEventsAndNoOthers() throws Exception {
    rabbit.permitTopics(AmqpFixture.EXCHANGE, "^(?!Forbidden).*");
    try {
      Destination destination = open(fixture().builder("orders"));
      List<EventEnvelope> good = events(10);
      List<EventEnvelope> bad = List.of(event("Forbidden"), event("Forbidden"));
      List<EventEnvelope> all =
          Stream.of(good.subList(0, 4), bad, good.subList(4, 10)).flatMap(List::stream).toList();

      Answers answers = Answers.of(destination, all);

      assertThat(answers.delivered())
          .containsExactlyElementsOf(good.stream().map(EventEnvelope::eventId).toList());
      for (EventEnvelope event : bad) {
        requireFailedTry(answers.failure(event), event);
        assertThat(answers.failure(event))
            .hasMessageContaining("403")
            .hasMessageContaining("routing key 'Forbidden'");
      }
    } finally {
      rabbit.permitTopics(AmqpFixture.EXCHANGE, ".*");
    }
  }

  @Test
  void whatIsSentBesideARoutingKeyThatIsKnownToBeForbiddenArrivesOnce() throws Exception {
    rabbit.permitTopics(AmqpFixture.EXCHANGE, "^(?!Forbidden).*");
    try {
      Destination destination = open(fixture().builder("orders"));
      EventEnvelope first = event("Forbidden");
      requireFailedTry(Answers.of(destination, first).failure(first), first);

      requireNeighboursArriveOnce(destination, "Forbidden");
    } finally {
      rabbit.permitTopics(AmqpFixture.EXCHANGE, ".*");
    }
  }

  @Test
  void routingKeyThatIsPermittedLaterIsTaken() throws Exception {
    Destination destination = open(fixture().builder("orders"));
    EventEnvelope event = event("Forbidden");
    rabbit.permitTopics(AmqpFixture.EXCHANGE, "^(?!Forbidden).*");
    try {
      requireFailedTry(Answers.of(destination, event).failure(event), event);
    } finally {
      rabbit.permitTopics(AmqpFixture.EXCHANGE, ".*");
    }

    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Answers.of(destination, event).failures().isEmpty());
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

  /** Events of the type {@code Limited} go to a queue that has no room, and elsewhere as well. */
  private Destination openWithFullQueue(Channel channel) throws Exception {
    queue(channel, "Limited", Map.of("x-max-length", 3, "x-overflow", "reject-publish"));
    channel.queuePurge("test-Limited");
    Destination destination = open(fixture().builder("orders"));
    for (int i = 0; i < 3; i++) {
      assertThat(Answers.of(destination, event("Limited")).failures()).isEmpty();
    }
    return destination;
  }

  private static Answers sent(GuardedDestination guard) throws Exception {
    return Answers.sending(guard, List.of(event("Limited"), event("Limited"))).await();
  }
}
