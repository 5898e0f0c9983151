package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.destination.internal.MonotonicClock;
import outbox.webhook.Receiver.Answer;

/** The time of day is what receivers are told; how long one is left alone doesn't depend on it. */
class WebhookClockTest {

  private static final Instant NOON = Instant.parse("2030-01-31T12:00:00Z");

  private final TestClock timeOfDay = new TestClock();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private Receiver receiver;
  private WebhookDestination destination;

  @BeforeEach
  void start() throws Exception {
    receiver = Receiver.start();
    destination =
        WebhookDestination.builder("subscribers")
            .url(event -> receiver.url())
            .unsigned()
            .allowHttp()
            .allowPrivateAddresses()
            .clocks(timeOfDay, new MonotonicClock(NOON, nanos::get))
            .build();
  }

  @AfterEach
  void stop() {
    destination.close();
    receiver.close();
  }

  @Test
  void aReceiverIsAskedAgainInTimeAlsoIfTheTimeOfDayIsSetBack() throws Exception {
    receiver.answering(request -> Answer.of(429, "Retry-After", "60"));
    requireDeferred();
    timeOfDay.advance(Duration.ofHours(-1));
    receiver.answering(204);
    requireDeferred();

    nanos.addAndGet(Duration.ofSeconds(60).toNanos());

    Sent.delivers(destination);
    assertThat(receiver.requests()).hasSize(2);
    assertThat(receiver.requests().get(1).header(WebhookSignature.TIMESTAMP))
        .isEqualTo(Long.toString(NOON.minus(Duration.ofHours(1)).getEpochSecond()));
  }

  @Test
  void aReceiverIsNotAskedEarlierIfTheTimeOfDayIsSetForward() throws Exception {
    receiver.answering(request -> Answer.of(429, "Retry-After", "60"));
    requireDeferred();

    timeOfDay.advance(Duration.ofHours(1));

    requireDeferred();
    assertThat(receiver.requests()).hasSize(1);
  }

  @Test
  void aDateIsReadByTheTimeOfDay() throws Exception {
    timeOfDay.advance(Duration.ofHours(1));
    receiver.answering(request -> Answer.of(429, "Retry-After", "Thu, 31 Jan 2030 13:01:00 GMT"));
    requireDeferred();
    receiver.answering(204);

    nanos.addAndGet(Duration.ofSeconds(60).toNanos());

    Sent.delivers(destination);
  }

  private void requireDeferred() throws Exception {
    assertThat(Sent.failure(destination)).isInstanceOf(DeferException.class);
  }
}
