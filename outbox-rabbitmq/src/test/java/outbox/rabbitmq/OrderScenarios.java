package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.destination.Destination;
import outbox.destination.UnavailableException;
import outbox.destination.testing.Received;

/** The events of an aggregate that are sent in one call, when something fails in the middle. */
abstract class OrderScenarios extends BrokerScenarios {

  private static final String KEY = "order-in-order";

  @Test
  void channelThatTheBrokerClosesCostsNoAggregateItsOrder() throws Exception {
    ConnectionFactory factory = new LateNews();
    factory.setUri(broker().uri());
    Channel channel = channel();
    channel.exchangeDeclare("passing", "fanout");
    channel.queueBind(channel.queueDeclare().getQueue(), "passing", "");
    Destination destination =
        open(fixture().builder("orders").connectionFactory(factory).exchange(elsewhere("passing")));
    assertThat(Answers.of(destination, event("Elsewhere")).failures()).isEmpty();
    List<EventEnvelope> ordered = Stream.generate(() -> event(20_000)).limit(300).toList();
    List<EventEnvelope> all = new ArrayList<>(ordered);
    all.add(0, event("Elsewhere"));

    channel.exchangeDelete("passing");
    Answers answers = Answers.of(destination, all);

    List<String> ids = ordered.stream().map(EventEnvelope::eventId).toList();
    assertThat(answers.delivered()).containsExactlyElementsOf(ids);
    awaitArrival(ordered.get(ordered.size() - 1));
    assertThat(firstArrivals(ids)).isEqualTo(ids);
  }

  @Test
  void whatFollowsARefusedEventOfItsAggregateIsPutOffWithIt() throws Exception {
    Destination destination = openWithElsewhere("absent");
    EventEnvelope before = event("OrderPlaced", KEY);
    EventEnvelope refused = event("Elsewhere", KEY);
    EventEnvelope after = event("OrderPlaced", KEY);
    EventEnvelope other = event("OrderPlaced");

    Answers answers = Answers.of(destination, before, refused, after, other);

    assertThat(answers.delivered()).containsExactly(before.eventId(), other.eventId());
    RefusalScenarios.requireFailedTry(answers.failure(refused), refused);
    assertThat(answers.failure(after))
        .isInstanceOf(DeferException.class)
        .hasMessageContaining(after.eventId())
        .hasMessageContaining("event " + refused.eventId() + " of the same aggregate");
    awaitArrival(other);
    assertThat(arrivals(after)).isZero();
  }

  @Test
  void whatStandsBeforeAnEventThatCannotBeSentIsSent() throws Exception {
    Destination destination =
        open(
            fixture()
                .builder("orders")
                .exchange(event -> event.eventType().equals("Odd") ? null : AmqpFixture.EXCHANGE));
    EventEnvelope before = event("OrderPlaced", KEY);
    EventEnvelope odd = event("Odd", KEY);
    EventEnvelope after = event("OrderPlaced", KEY);

    Answers answers = Answers.of(destination, before, odd, after);

    assertThat(answers.delivered()).containsExactly(before.eventId());
    assertThat(answers.failure(after)).isInstanceOf(DeferException.class);
  }

  @Test
  void whatFollowsALostEventOfItsAggregateIsNotPublishedOnTheNextConnection() throws Exception {
    Wire wire = opened(new Wire(broker().port()));
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(AmqpBroker.uri(wire.port()));
    factory.setRequestedHeartbeat(0); // what the wire holds is an event
    Destination destination = open(fixture().builder("orders").connectionFactory(factory));
    assertThat(Answers.of(destination, events(1)).failures()).isEmpty();
    // More than fits between a client and its broker.
    List<EventEnvelope> ordered = Stream.generate(() -> event(150_000)).limit(200).toList();

    wire.holdRequests();
    Answers answers = Answers.sending(destination, ordered);
    await().atMost(Duration.ofMinutes(1)).until(wire::holdsRequest);
    wire.cut();
    wire.passRequests();

    assertThat(answers.await().delivered()).isEmpty();
    assertThat(answers.failures().values())
        .hasSameSizeAs(ordered)
        .allSatisfy(failure -> assertThat(failure).isInstanceOf(UnavailableException.class));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Answers.of(destination, ordered.get(0)).failures().isEmpty());
  }

  private static EventEnvelope event(int size) {
    return EventEnvelope.builder("OrderPlaced")
        .aggregateId(KEY)
        .payloadBytes(new byte[size])
        .build();
  }

  /** What was published again, because it had no answer, may have come twice. */
  private List<String> firstArrivals(List<String> ids) {
    return fixture().received().stream()
        .map(Received::eventId)
        .filter(new HashSet<>(ids)::contains)
        .distinct()
        .toList();
  }
}
