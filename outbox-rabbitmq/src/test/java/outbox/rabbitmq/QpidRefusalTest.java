package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.destination.Destination;
import outbox.destination.DestinationHealth;
import outbox.destination.GuardedDestination;
import outbox.destination.UnavailableException;

/** Qpid nacks what no queue is bound for, as RabbitMQ does what a full queue won't take. */
class QpidRefusalTest extends RefusalScenarios {

  @Override
  protected AmqpBroker newBroker() {
    return new QpidBroker();
  }

  @Override
  protected void requireNoRoute(Throwable failure) {
    assertThat(failure).isInstanceOf(DeferException.class).hasMessageContaining("basic.nack");
  }

  @Test
  void batchThatIsNackedAsAWholeIsAnOutage() throws Exception {
    channel().exchangeDeclare("narrow", "direct", false, true, null);
    Destination destination = openWithElsewhere("narrow");
    List<EventEnvelope> events = List.of(event("Elsewhere"), event("Elsewhere"));

    Answers answers = Answers.of(destination, events);

    assertThat(answers.failures().values())
        .hasSize(2)
        .anySatisfy(failure -> assertThat(failure).isInstanceOf(DeferException.class))
        .anySatisfy(failure -> assertThat(failure).isInstanceOf(UnavailableException.class))
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining("basic.nack"));
  }

  @Test
  void brokerThatNacksEverythingIsLeftAlone() throws Exception {
    channel().exchangeDeclare("narrow", "direct", false, true, null);
    GuardedDestination guard = opened(new GuardedDestination(openWithElsewhere("narrow")));

    for (int i = 0; i < 3; i++) {
      EventEnvelope event = event("Elsewhere");
      assertThat(Answers.sending(guard, List.of(event)).await().failure(event))
          .isInstanceOf(DeferException.class);
    }

    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.DOWN);
    assertThat(guard.health().lastError()).contains("basic.nack");
  }
}
