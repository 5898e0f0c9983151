package outbox.destination.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.destination.Destination;
import outbox.destination.UnavailableException;

/**
 * What every {@link Destination} promises: what it calls delivered has arrived, unchanged and in
 * order per key; what isn't delivered says why, each event for itself; an outage is nobody's fault
 * and passes by itself; close leaves nothing in between.
 *
 * <p>A destination's test extends this and starts its broker, which serves all tests:
 *
 * <pre>{@code
 * class KafkaDestinationTest extends DestinationContract {
 *   @Override
 *   protected DestinationFixture start() throws Exception {
 *     return new KafkaFixture();
 *   }
 * }
 * }</pre>
 */
public abstract class DestinationContract extends DestinationDeliveryContract {

  /** What a call may take that is to return at once; long, because machines are busy. */
  private static final Duration AT_ONCE = Duration.ofSeconds(10);

  @Test
  void anOutageIsNoEventsFaultAndPassesByItself() throws Exception {
    Destination destination = open();
    List<EventEnvelope> before = events("order-1", 3);
    assertThat(send(destination, before).failures()).isEmpty();
    awaitArrivalOf(before);

    fixture().stopBroker();
    Sending during = send(destination, events("order-1", 3));
    fixture().startBroker();

    assertThat(during.delivered()).isEmpty();
    assertThat(during.failures().values())
        .hasSize(3)
        .allSatisfy(failure -> assertThat(failure).isInstanceOf(UnavailableException.class));
    awaitRecovery(destination);
  }

  @Test
  void aDestinationThatIsOpenedDuringAnOutageFindsItsBrokerLater() throws Exception {
    fixture().stopBroker();
    Destination destination = open();

    Sending during = send(destination, events("order-1", 2));
    fixture().startBroker();

    assertThat(during.failures().values())
        .hasSize(2)
        .allSatisfy(failure -> assertThat(failure).isInstanceOf(UnavailableException.class));
    awaitRecovery(destination);
  }

  @Test
  void sendReturnsAtOnceAlsoDuringAnOutage() throws Exception {
    Destination destination = open();
    fixture().stopBroker();

    long begin = System.nanoTime();
    List<Sending> sendings =
        Stream.generate(() -> Sending.of(destination, events("order-1", 10))).limit(3).toList();
    Duration taken = Duration.ofNanos(System.nanoTime() - begin);

    assertThat(taken).isLessThan(AT_ONCE);
    for (Sending sending : sendings) {
      assertThat(ended(sending).delivered()).isEmpty();
    }
  }

  @Test
  void aBrokerThatGoesAwayBuriesNothing() throws Exception {
    Destination destination = open();
    List<Sending> sendings = new ArrayList<>();

    for (int i = 0; i < 20; i++) {
      sendings.add(Sending.of(destination, events("order-" + i, 10)));
    }
    fixture().stopBroker();

    for (Sending sending : sendings) {
      assertThat(ended(sending).failures().values())
          .allSatisfy(failure -> assertThat(failure).isNotInstanceOf(NonRetryableException.class));
    }
    fixture().startBroker();
    awaitRecovery(destination);
  }

  @Test
  void closeWaitsForWhatIsUnderWay() throws Exception {
    Destination destination = open();
    List<EventEnvelope> events = events("order-1", 50);

    Sending sending = Sending.of(destination, events);
    destination.close();

    assertThat(sending.isOver()).as("the batch has ended when close returns").isTrue();
    assertThat(ended(sending).delivered()).isEqualTo(ids(events));
    assertThat(awaitArrivalOf(events)).hasSameSizeAs(events);
  }

  @Test
  void closeDuringAnOutageEndsWhatIsUnderWay() throws Exception {
    Destination destination = open();
    fixture().stopBroker();

    Sending sending = Sending.of(destination, events("order-1", 5));
    destination.close();

    await().atMost(patience()).until(sending::isOver);
    assertThat(ended(sending).delivered()).isEmpty();
  }

  @Test
  void closeMayBeCalledTwiceAndSendAfterItFailsClearly() throws Exception {
    Destination destination = open();
    destination.close();

    assertThatCode(destination::close).doesNotThrowAnyException();
    Sending sending = send(destination, events("order-1", 2));
    assertThat(sending.failures().values())
        .hasSize(2)
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isNotInstanceOf(NonRetryableException.class)
                    .hasMessageContaining(destination.name())
                    .hasMessageContaining("closed"));
  }

  /** Like a relay, which tries again until it is taken. */
  private void awaitRecovery(Destination destination) {
    List<EventEnvelope> later = events("order-1", 3);
    await().atMost(patience()).until(() -> send(destination, later).delivered().equals(ids(later)));
    awaitArrivalOf(later);
  }
}
