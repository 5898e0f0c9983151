package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.destination.MessageFormat;
import outbox.destination.Protocol;

class VerdictsTest {

  private static final Target TARGET = new Target("events", "Forbidden");

  private final Verdicts verdicts =
      new Verdicts(
          new Failures("orders", "amqp://shop@rabbit"),
          new Exchanges(
              () -> {
                throw new IOException("there is no connection");
              }));

  @Test
  void targetThatWasRefusedIsNotAskedForAgainAtOnceAndGoesAloneUntilOneIsTaken() {
    Outgoing event = event(TARGET);
    assertThatCode(() -> verdicts.requireNoneAgainst(event)).doesNotThrowAnyException();
    assertThat(verdicts.isDoubtful(TARGET)).isFalse();

    verdicts.refused(TARGET, closed(AMQP.ACCESS_REFUSED));
    assertThatThrownBy(() -> verdicts.requireNoneAgainst(event))
        .hasMessageContaining(event.event().eventId())
        .hasMessageContaining("403 no");
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThatCode(() -> verdicts.requireNoneAgainst(event))
                    .doesNotThrowAnyException());
    assertThat(verdicts.isDoubtful(TARGET)).isTrue();

    verdicts.taken(TARGET);
    assertThat(verdicts.isDoubtful(TARGET)).isFalse();
  }

  @Test
  void otherRoutingKeysOfTheExchangeAreNotMeant() {
    Target other = new Target(TARGET.exchange(), "OrderPlaced");

    verdicts.refused(TARGET, closed(AMQP.ACCESS_REFUSED));

    assertThatCode(() -> verdicts.requireNoneAgainst(event(other))).doesNotThrowAnyException();
    assertThat(verdicts.isDoubtful(other)).isFalse();
  }

  @Test
  void exchangeThatIsMissingIsMissingForAllRoutingKeys() {
    verdicts.refused(TARGET, closed(AMQP.NOT_FOUND));

    assertThatThrownBy(
            () -> verdicts.requireNoneAgainst(event(new Target(TARGET.exchange(), "other"))))
        .hasMessageContaining("404 no")
        .hasMessageContaining("declare the exchange");
  }

  private static Outgoing event(Target target) {
    EventEnvelope event = EventEnvelope.builder("OrderPlaced").payloadJson("{}").build();
    return new Outgoing(
        new Batch(1, new Answers()),
        0,
        event,
        target,
        MessageFormat.raw().format(event, Protocol.AMQP));
  }

  private static ShutdownSignalException closed(int code) {
    return new ShutdownSignalException(
        false,
        false,
        new AMQP.Channel.Close.Builder().replyCode(code).replyText("no").build(),
        null);
  }
}
