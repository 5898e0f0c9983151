package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.destination.Destination;
import outbox.destination.UnavailableException;

/**
 * What the broker won't have of single events: each is told so, and no other suffers (F29, F30).
 */
abstract class RefusalScenarios extends BrokerScenarios {

  /** What becomes of an event for which no queue is bound. */
  protected abstract void requireNoRoute(Throwable failure);

  @Test
  void eventThatReachesNoQueueFailsAloneAndNamesExchangeAndRoutingKey() throws Exception {
    channel().exchangeDeclare("narrow", "direct", false, true, null);
    Destination destination = openWithElsewhere("narrow");
    EventEnvelope before = event("OrderPlaced");
    EventEnvelope unbound = event("Elsewhere");
    EventEnvelope after = event("OrderPlaced");

    Answers answers = Answers.of(destination, before, unbound, after);

    assertThat(answers.delivered()).containsExactly(before.eventId(), after.eventId());
    requireNoRoute(answers.failure(unbound));
    assertThat(answers.failure(unbound))
        .hasMessageContaining(unbound.eventId())
        .hasMessageContaining("exchange 'narrow', routing key 'Elsewhere'");
  }

  @Test
  void missingExchangeFailsItsEventsAndNoOthers() throws Exception {
    Destination destination = openWithElsewhere("absent");
    List<EventEnvelope> good = events(10);
    List<EventEnvelope> bad = List.of(event("Elsewhere"), event("Elsewhere"));
    List<EventEnvelope> all =
        Stream.of(good.subList(0, 4), bad, good.subList(4, 10)).flatMap(List::stream).toList();

    Answers answers = Answers.of(destination, all);

    assertThat(answers.delivered())
        .containsExactlyElementsOf(good.stream().map(EventEnvelope::eventId).toList());
    for (EventEnvelope event : bad) {
      requireFailedTry(answers.failure(event), event);
      assertThat(answers.failure(event))
          .hasMessageContaining("404")
          .hasMessageContaining("exchange 'absent'")
          .hasMessageContaining("declare the exchange");
    }
    good.forEach(this::awaitArrival);
    assertThat(Answers.of(destination, event("OrderPlaced")).failures()).isEmpty();
  }

  @Test
  void whatIsSentBesideATypeWithoutAnExchangeArrivesOnce() throws Exception {
    requireNeighboursArriveOnce(openWithElsewhere("absent"), "Elsewhere");
  }

  @Test
  void exchangeThatIsDeclaredLaterIsFound() throws Exception {
    Destination destination = openWithElsewhere("late");
    EventEnvelope event = event("Elsewhere");
    assertThat(Answers.of(destination, event).failure(event)).hasMessageContaining("404");

    Channel channel = channel();
    channel.exchangeDeclare("late", "fanout", false, true, null);
    channel.queueBind(channel.queueDeclare().getQueue(), "late", "");

    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Answers.of(destination, event).failures().isEmpty());
  }

  @Test
  void exchangeThatIsDeletedMeanwhileFailsItsEventsAndNoOthers() throws Exception {
    Channel channel = channel();
    channel.exchangeDeclare("passing", "fanout");
    channel.queueBind(channel.queueDeclare().getQueue(), "passing", "");
    Destination destination = openWithElsewhere("passing");
    assertThat(Answers.of(destination, event("Elsewhere")).failures()).isEmpty();
    List<EventEnvelope> good = events(10);
    EventEnvelope bad = event("Elsewhere");
    List<EventEnvelope> all = new ArrayList<>(good);
    all.add(5, bad);

    channel.exchangeDelete("passing");
    Answers answers = Answers.of(destination, all);

    assertThat(answers.delivered())
        .containsExactlyElementsOf(good.stream().map(EventEnvelope::eventId).toList());
    requireFailedTry(answers.failure(bad), bad);
    assertThat(answers.failure(bad)).hasMessageContaining("exchange 'passing'");
  }

  @Test
  void brokerThatLetsNobodyAskForExchangesTakesEventsAllTheSame() throws Exception {
    ConnectionFactory factory = new NoQuestions();
    factory.setUri(broker().uri());
    Destination destination =
        open(fixture().builder("orders").connectionFactory(factory).exchange(elsewhere("absent")));
    EventEnvelope before = event("OrderPlaced");
    EventEnvelope bad = event("Elsewhere");
    EventEnvelope after = event("OrderPlaced");

    Answers answers = Answers.of(destination, before, bad, after);

    assertThat(answers.delivered()).containsExactly(before.eventId(), after.eventId());
    requireFailedTry(answers.failure(bad), bad);
    assertThat(answers.failure(bad)).hasMessageContaining("404");
  }

  @Test
  void eventThatIsTooLargeForTheBrokerFailsForGoodAndAlone() throws Exception {
    Destination destination = open(fixture().builder("orders"));
    EventEnvelope before = event("OrderPlaced");
    EventEnvelope large =
        EventEnvelope.builder("OrderPlaced")
            .payloadBytes(new byte[AmqpBroker.MAX_MESSAGE + 1])
            .build();
    EventEnvelope after = event("OrderPlaced");

    Answers answers = Answers.of(destination, before, large, after);

    assertThat(answers.delivered()).containsExactly(before.eventId(), after.eventId());
    assertThat(answers.failure(large))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining(large.eventId());
    awaitArrival(after);
  }

  @Test
  void headersThatFitIntoNoFrameFailForGoodAndAlone() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(broker().uri());
    factory.setRequestedFrameMax(65_536);
    Destination destination = open(fixture().builder("orders").connectionFactory(factory));
    EventEnvelope before = event("OrderPlaced");
    EventEnvelope large =
        EventEnvelope.builder("OrderPlaced")
            .payloadJson("1")
            .header("long", "x".repeat(200_000))
            .build();
    EventEnvelope named =
        EventEnvelope.builder("OrderPlaced").payloadJson("1").header("n".repeat(300), "x").build();
    EventEnvelope after = event("OrderPlaced");

    Answers answers = Answers.of(destination, before, large, named, after);

    assertThat(answers.delivered()).containsExactly(before.eventId(), after.eventId());
    assertThat(answers.failure(large))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining("its headers must be at most");
    assertThat(answers.failure(named)).isInstanceOf(NonRetryableException.class);
    assertThat(arrivals(before)).isLessThanOrEqualTo(1);
  }

  @Test
  void routingKeyThatTheProtocolHasNoRoomForFailsForGood() throws Exception {
    Destination destination =
        open(fixture().builder("orders").routingKey(event -> "k".repeat(256)));
    EventEnvelope event = event("OrderPlaced");

    Answers answers = Answers.of(destination, event);

    assertThat(answers.failure(event))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining(event.eventId())
        .hasStackTraceContaining("routing key must be at most 255 bytes, got: 256");
  }

  @Test
  void ruleThatHasNoNameForAnEventBuriesThatEventAlone() throws Exception {
    Destination destination =
        open(
            fixture()
                .builder("orders")
                .exchange(event -> event.eventType().equals("Odd") ? null : AmqpFixture.EXCHANGE));
    EventEnvelope odd = event("Odd");
    EventEnvelope good = event("OrderPlaced");

    Answers answers = Answers.of(destination, odd, good);

    assertThat(answers.delivered()).containsExactly(good.eventId());
    assertThat(answers.failure(odd))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining("the rule for the exchange has none for event " + odd.eventId());
  }

  /** Sends events beside some of a type that is refused, for longer than that is remembered. */
  final void requireNeighboursArriveOnce(Destination destination, String refusedType)
      throws Exception {
    List<EventEnvelope> good = new ArrayList<>();
    List<EventEnvelope> bad = new ArrayList<>();
    List<Answers> rounds = new ArrayList<>();
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              List<EventEnvelope> round = new ArrayList<>(events(10));
              good.addAll(round);
              bad.add(event(refusedType));
              round.add(5, bad.get(bad.size() - 1));
              return rounds.add(Answers.sending(destination, round)) && rounds.size() == 50;
            });

    for (int i = 0; i < rounds.size(); i++) {
      Answers answers = rounds.get(i).await();
      assertThat(answers.delivered()).hasSize(10);
      requireFailedTry(answers.failure(bad.get(i)), bad.get(i));
    }
    requireEachArrivesOnce(destination, good);
  }

  /** What is sent last arrives last, in the one queue. */
  private void requireEachArrivesOnce(Destination destination, List<EventEnvelope> events)
      throws Exception {
    EventEnvelope last = event("OrderPlaced");
    assertThat(Answers.of(destination, last).failures()).isEmpty();
    awaitArrival(last);
    Map<String, Long> arrivals =
        fixture().deliveries().stream()
            .collect(
                Collectors.groupingBy(
                    delivery -> delivery.getProperties().getMessageId(), Collectors.counting()));
    assertThat(events).allSatisfy(event -> assertThat(arrivals).containsEntry(event.eventId(), 1L));
  }

  static void requireFailedTry(Throwable failure, EventEnvelope event) {
    assertThat(failure)
        .isNotInstanceOf(NonRetryableException.class)
        .isNotInstanceOf(DeferException.class)
        .isNotInstanceOf(UnavailableException.class)
        .hasMessageContaining(event.eventId());
  }
}
