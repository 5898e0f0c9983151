package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.destination.Destination;
import outbox.destination.GuardedDestination;
import outbox.destination.UnavailableException;

/** What is no event's fault: it says so, in one clear message, and passes (F26, F27, F28, F33). */
abstract class OutageScenarios extends BrokerScenarios {

  @Test
  void wrongPasswordIsToldWithoutThePassword() throws Exception {
    String uri = "amqp://%s:wr0ng@127.0.0.1:%d".formatted(AmqpBroker.USER, broker().port());
    Destination destination = open(fixture().builder("orders").uri(uri));

    assertThat(failureOf(destination))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("RabbitMQ destination orders (amqp://shop@127.0.0.1:")
        .hasMessageContaining("user name or password is wrong")
        .hasMessageNotContaining("wr0ng");
  }

  @Test
  void hostThatNobodyKnowsIsNamed() throws Exception {
    Destination destination =
        open(fixture().builder("orders").uri("amqp://u:s3cret@no-such-host.invalid:5672"));

    assertThat(failureOf(destination))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("can't be reached")
        .hasMessageContaining("no-such-host.invalid")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void virtualHostThatIsNotThereIsToldByTheBroker() throws Exception {
    Destination destination = open(fixture().builder("orders").uri(broker().uri() + "/nowhere"));

    assertThat(failureOf(destination))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("nowhere");
  }

  @Test
  void destinationThatIsDeadHarmsNoOther() throws Exception {
    int nobody = AmqpBroker.freePort();
    Destination dead = open(fixture().builder("dead").uri(AmqpBroker.uri(nobody)));
    Destination alive = open(fixture().builder("alive"));

    List<Answers> lost = Stream.generate(() -> sending(dead, events(20))).limit(10).toList();
    List<Answers> kept = Stream.generate(() -> sending(alive, events(20))).limit(10).toList();

    for (Answers answers : kept) {
      assertThat(answers.await().delivered()).hasSize(20);
    }
    for (Answers answers : lost) {
      assertThat(answers.await().failures().values())
          .hasSize(20)
          .allSatisfy(failure -> assertThat(failure).isInstanceOf(UnavailableException.class));
    }
  }

  @Test
  void slowBrokerIsWaitedForAsLongAsItConfirms() throws Exception {
    Wire wire = opened(new Wire(broker().port()));
    Destination destination = open(fixture().builder("orders").uri(AmqpBroker.uri(wire.port())));
    assertThat(Answers.of(destination, events(1)).failures()).isEmpty();

    wire.slowDown(Duration.ofMillis(200));
    Answers answers = Answers.of(destination, events(100));

    assertThat(answers.delivered()).hasSize(100);
  }

  @Test
  void slowBrokerCostsNoEventAnAttempt() throws Exception {
    Wire wire = opened(new Wire(broker().port()));
    Destination destination = open(fixture().builder("orders").uri(AmqpBroker.uri(wire.port())));
    assertThat(Answers.of(destination, events(1)).failures()).isEmpty();
    GuardedDestination guard =
        GuardedDestination.builder(destination).timeout(Duration.ofSeconds(3)).build();

    wire.trickle(Duration.ofMillis(200));
    List<Answers> batches =
        Stream.generate(() -> Answers.sending(guard, events(5))).limit(20).toList();

    for (Answers answers : batches) {
      assertThat(answers.await().failures().values())
          .allSatisfy(failure -> assertThat(failure).isInstanceOf(DeferException.class));
    }
    assertThat(guard.health().failed()).isZero();
  }

  @Test
  void acknowledgementThatIsLostCostsADuplicateAndNoAttempt() throws Exception {
    Wire wire = opened(new Wire(broker().port()));
    Destination destination = open(fixture().builder("orders").uri(AmqpBroker.uri(wire.port())));
    assertThat(Answers.of(destination, events(1)).failures()).isEmpty();
    EventEnvelope event = event("OrderPlaced");

    wire.holdAnswers();
    Answers first = Answers.sending(destination, List.of(event));
    awaitArrival(event);
    wire.cut();
    wire.passAnswers();

    assertThat(first.await().failure(event))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("lost its connection");
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Answers.of(destination, event).delivered().contains(event.eventId()));
    await().atMost(Duration.ofMinutes(1)).until(() -> arrivals(event) == 2);
  }

  @Test
  void brokerThatFallsSilentIsGivenUpAndFoundAgain() throws Exception {
    Wire wire = opened(new Wire(broker().port()));
    Destination destination =
        open(
            fixture()
                .builder("orders")
                .uri(AmqpBroker.uri(wire.port()))
                .confirmTimeout(Duration.ofSeconds(3)));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Answers.of(destination, events(1)).failures().isEmpty());

    wire.holdAnswers();
    Answers during = Answers.of(destination, events(5));
    wire.passAnswers();

    assertThat(during.failures().values())
        .hasSize(5)
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("has confirmed nothing for PT3S"));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Answers.of(destination, events(1)).failures().isEmpty());
  }

  @Test
  void questionForAnExchangeThatGetsNoAnswerKeepsNoEventBack() throws Exception {
    Channel channel = channel();
    channel.exchangeDeclare("quiet", "fanout", false, true, null);
    String queue = channel.queueDeclare().getQueue();
    channel.queueBind(queue, "quiet", "");
    Wire wire = opened(new Wire(broker().port()));
    Destination destination =
        open(
            fixture()
                .builder("orders")
                .uri(AmqpBroker.uri(wire.port()))
                .exchange(elsewhere("quiet"))
                .connectTimeout(Duration.ofSeconds(2)));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Answers.of(destination, events(1)).failures().isEmpty());
    EventEnvelope event = event("Elsewhere");

    wire.holdAnswers();
    Answers answers = Answers.sending(destination, List.of(event));
    GetResponse arrived = nextOf(channel, queue);
    wire.passAnswers();

    assertThat(arrived.getProps().getMessageId()).isEqualTo(event.eventId());
    assertThat(answers.await().failures()).isEmpty();
    assertThat(Answers.of(destination, event("Elsewhere"), event("OrderPlaced")).failures())
        .isEmpty();
  }

  @Test
  void closeDoesNotWaitForASilentBrokerForEver() throws Exception {
    Wire wire = opened(new Wire(broker().port()));
    Destination destination =
        open(
            fixture()
                .builder("orders")
                .uri(AmqpBroker.uri(wire.port()))
                .closeTimeout(Duration.ofSeconds(1)));
    assertThat(Answers.of(destination, events(1)).failures()).isEmpty();

    wire.holdAnswers();
    Answers during = Answers.sending(destination, events(5));
    destination.close();

    assertThat(during.areComplete()).isTrue();
    assertThat(during.failures().values())
        .hasSize(5)
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining("orders"));
  }

  private static Throwable failureOf(Destination destination) throws Exception {
    EventEnvelope event = event("OrderPlaced");
    return Answers.of(destination, event).failure(event);
  }

  private static Answers sending(Destination destination, List<EventEnvelope> events) {
    try {
      return Answers.sending(destination, events);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
