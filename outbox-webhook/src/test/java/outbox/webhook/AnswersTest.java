package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.RetryAfterException;
import outbox.destination.UnavailableException;
import outbox.webhook.Receiver.Answer;

/** What each answer means for its event. */
class AnswersTest {

  private static final Instant NOW = Instant.parse("2030-01-31T12:00:00Z");

  private final List<URI> gone = new CopyOnWriteArrayList<>();
  private Receiver receiver;
  private WebhookDestination destination;

  @BeforeEach
  void start() throws Exception {
    receiver = Receiver.start();
    destination =
        WebhookDestination.builder("receiver")
            .url(receiver.url())
            .unsigned()
            .allowHttp()
            .allowPrivateAddresses()
            .onGone(gone::add)
            .clock(Clock.fixed(NOW, ZoneOffset.UTC))
            .build();
  }

  @AfterEach
  void stop() {
    destination.close();
    receiver.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 299})
  void deliversWith2xx(int status) throws Exception {
    receiver.answering(status);

    Sent.delivers(destination);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 413, 414, 415, 422, 431})
  void buriesWhatIsRefused(int status) throws Exception {
    receiver.answering(status);

    assertThat(Sent.failure(destination))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining("answered " + status + ": it will not take this event");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 402, 403, 404, 405, 407, 408, 409, 421, 423, 425, 451, 500, 501, 599})
  void triesAgainWhatMayBeTheReceiversConfiguration(int status) throws Exception {
    receiver.answering(status);

    assertThat(Sent.failure(destination))
        .isInstanceOf(DeliveryFailedException.class)
        .hasMessageContaining("answered " + status);
  }

  @ParameterizedTest
  @CsvSource({
    "/elsewhere?key=s3cret, another path of this host",
    "https://other.example:444/s3cret?key=s3cret, https://other.example:444",
    "//other.example/s3cret, http://other.example"
  })
  void followsNoRedirectAndSaysWhereItPoints(String location, String told) throws Exception {
    for (int status : new int[] {301, 302, 303, 307, 308}) {
      receiver.answering(request -> Answer.of(status, "Location", location));

      assertThat(Sent.failure(destination))
          .isInstanceOf(DeliveryFailedException.class)
          .hasMessageContaining("answered " + status + ", a redirect to " + told + ", which is not")
          .hasMessageNotContaining("s3cret");
    }
    assertThat(receiver.requests()).hasSize(5);
  }

  @Test
  void aRedirectToNowhereIsOneAllTheSame() throws Exception {
    for (String location : new String[] {"http://%%%", "mailto:someone", ""}) {
      receiver.answering(request -> Answer.of(302, "Location", location));

      assertThat(Sent.failure(destination)).hasMessageContaining("a redirect");
    }
  }

  @Test
  void buriesAndTellsWhatIsGone() throws Exception {
    receiver.answering(410);

    assertThat(Sent.failure(destination))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining("stop sending");
    assertThat(gone).containsExactly(URI.create(receiver.url()));
  }

  @Test
  void isUnavailableForAsLongAsTooManyRequestsSay() throws Exception {
    receiver.answering(request -> Answer.of(429, "Retry-After", "120"));

    assertThat(delay(destination)).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void isUnavailableUntilADate() throws Exception {
    receiver.answering(request -> Answer.of(503, "Retry-After", "Thu, 31 Jan 2030 12:02:00 GMT"));

    assertThat(delay(destination)).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void isUnavailableForAnHourAtMost() throws Exception {
    receiver.answering(request -> Answer.of(429, "Retry-After", "99999999"));

    assertThat(delay(destination)).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void isUnavailableWithoutBeingToldForHowLong() throws Exception {
    receiver.answering(429);

    assertThat(delay(destination)).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void leavesAReceiverAloneThatAskedForIt() throws Exception {
    receiver.answering(request -> Answer.of(429, "Retry-After", "120"));
    delay(destination);

    EventEnvelope second = Sent.event();
    assertThat(Sent.of(destination, second).failure(second))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining(second.eventId())
        .hasMessageContaining("not sent, because shortly before")
        .hasMessageContaining("Retry-After: 120 s");
    assertThat(receiver.requests()).hasSize(1);
  }

  @Test
  void takesTheWordOfOtherAnswersForTheNextTry() throws Exception {
    receiver.answering(request -> Answer.of(500, "Retry-After", "120"));

    assertThat(Sent.failure(destination))
        .isInstanceOfSatisfying(
            RetryAfterException.class,
            failure -> assertThat(failure.delayFrom(NOW)).isEqualTo(Duration.ofMinutes(2)));
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void whatStandsInFrontOfAReceiverThatIsDownTellsOfAnOutage(int status) throws Exception {
    receiver.answering(status);

    assertThat(Sent.failure(destination))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("answered " + status);
  }

  @Test
  void anEventThatBreaksItsReceiverIsChargedAsSoonAsOthersPassIt() throws Exception {
    EventEnvelope poison = Sent.event();
    receiver.answering(
        request -> Answer.of(request.eventId().equals(poison.eventId()) ? 502 : 204));

    assertThat(Sent.of(destination, poison).failure(poison))
        .isInstanceOf(UnavailableException.class);
    assertThat(Sent.of(destination, poison).failure(poison))
        .as("nothing was delivered since")
        .isInstanceOf(UnavailableException.class);
    for (int i = 0; i < 5; i++) {
      Sent.delivers(destination);
      assertThat(Sent.of(destination, poison).failure(poison))
          .isInstanceOf(DeliveryFailedException.class);
    }
  }

  @Test
  void anEventThatWasDeliveredAfterAnOutageIsNoSuspectInTheNextOne() throws Exception {
    EventEnvelope event = Sent.event();
    receiver.answering(503);
    Sent.of(destination, event);
    receiver.answering(204);
    assertThat(Sent.of(destination, event).report(event)).isEmpty();
    Sent.delivers(destination);

    receiver.answering(503);

    assertThat(Sent.of(destination, event).failure(event)).isInstanceOf(UnavailableException.class);
  }

  @Test
  void aReceiverThatFailsForThreeEventsInARowIsOutAndForOneTimeAndAgainIsNot() throws Exception {
    EventEnvelope poison = Sent.event();
    receiver.answering(500);

    for (int i = 0; i < 5; i++) {
      assertThat(Sent.of(destination, poison).failure(poison))
          .isInstanceOf(DeliveryFailedException.class);
    }
    assertThat(Sent.failure(destination)).isInstanceOf(DeliveryFailedException.class);
    assertThat(Sent.failure(destination))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("answered 500");
  }

  @Test
  void anEventThatItsReceiverFailsForIsChargedWhileOthersPass() throws Exception {
    EventEnvelope[] poison = {Sent.event(), Sent.event(), Sent.event(), Sent.event()};
    Set<String> ids = Stream.of(poison).map(EventEnvelope::eventId).collect(Collectors.toSet());
    receiver.answering(request -> Answer.of(ids.contains(request.eventId()) ? 500 : 204));

    for (int i = 0; i < 20; i++) {
      EventEnvelope event = poison[i % poison.length];
      assertThat(Sent.of(destination, event).failure(event))
          .isInstanceOf(DeliveryFailedException.class);
      Sent.delivers(destination);
    }
  }

  private static Duration delay(WebhookDestination destination) throws Exception {
    Throwable failure = Sent.failure(destination);
    assertThat(failure).isInstanceOf(UnavailableException.class);
    return ((UnavailableException) failure).retryAfter().orElseThrow();
  }
}
