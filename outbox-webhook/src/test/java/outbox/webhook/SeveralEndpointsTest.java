package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.webhook.Receiver.Answer;

/**
 * One destination, and a URL for each event: what happens to one endpoint is no other's trouble.
 */
class SeveralEndpointsTest {

  private final TestClock clock = new TestClock();
  private Receiver healthy;
  private Receiver troubled;
  private WebhookDestination destination;

  @BeforeEach
  void start() throws Exception {
    healthy = Receiver.start();
    troubled = Receiver.start();
    int port = troubled.port();
    destination =
        WebhookDestination.builder("subscribers")
            .url(
                event ->
                    "http://localhost:%d/%s"
                        .formatted(
                            event.eventType().startsWith("Healthy") ? healthy.port() : port,
                            event.eventType()))
            .unsigned()
            .allowHttp()
            .allowPrivateAddresses()
            .clock(clock)
            .build();
  }

  @AfterEach
  void stop() {
    destination.close();
    healthy.close();
    troubled.close();
  }

  @Test
  void aDeadEndpointDefersItsOwnEventsAndTheOthersAreDelivered() throws Exception {
    troubled.close();
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      events.add(EventEnvelope.ofJson(i % 2 == 0 ? "Healthy" : "Troubled", "{}"));
    }

    Sent sent = Sent.of(destination, events.toArray(new EventEnvelope[0]));

    for (EventEnvelope event : events) {
      if (event.eventType().equals("Healthy")) {
        assertThat(sent.report(event)).isEmpty();
      } else {
        assertThat(sent.failure(event)).isInstanceOf(DeferException.class);
      }
    }
    assertThat(healthy.requests()).hasSize(20);
  }

  @Test
  void aDeadEndpointIsTriedLessAndLessAndByOneEventAtATime() throws Exception {
    int port = troubled.port();
    troubled.close();
    assertThat(deferral("Troubled")).contains("refused the connection");
    assertThat(deferral("Troubled")).contains("not sent, because shortly before");
    clock.advance(Duration.ofSeconds(1));
    assertThat(deferral("Troubled")).doesNotContain("not sent");
    clock.advance(Duration.ofSeconds(1));
    assertThat(deferral("Troubled")).as("two seconds after the second try").contains("not sent");
    clock.advance(Duration.ofSeconds(1));
    assertThat(deferral("Troubled")).doesNotContain("not sent");

    clock.advance(Duration.ofSeconds(4));
    try (Receiver back = Receiver.start("127.0.0.1", port)) {
      EventEnvelope[] events = {troubledEvent(), troubledEvent(), troubledEvent()};
      back.answering(
          request -> {
            assertThat(deferralOf(events[1])).contains("not sent");
            return Answer.of(204);
          });
      assertThat(Sent.of(destination, events[0]).report(events[0])).isEmpty();
      back.answering(204);

      assertThat(Sent.of(destination, events[1]).report(events[1])).isEmpty();
      assertThat(Sent.of(destination, events[2]).report(events[2])).isEmpty();
      assertThat(back.requests()).hasSize(3);
    }
  }

  @Test
  void aThrottledEndpointIsLeftAloneAndItsNeighboursOnTheSameHostAreNot() throws Exception {
    troubled.answering(
        request ->
            request.uri().endsWith("Throttled")
                ? Answer.of(429, "Retry-After", "60")
                : Answer.of(204));

    assertThat(deferral("Throttled")).contains("Retry-After: 60 s");
    assertThat(deferral("Throttled")).contains("not sent");
    EventEnvelope neighbour = EventEnvelope.ofJson("Neighbour", "{}");
    assertThat(Sent.of(destination, neighbour).report(neighbour)).isEmpty();

    clock.advance(Duration.ofSeconds(60));
    troubled.answering(204);
    EventEnvelope later = EventEnvelope.ofJson("Throttled", "{}");
    assertThat(Sent.of(destination, later).report(later)).isEmpty();
    assertThat(troubled.requests()).hasSize(3);
  }

  @Test
  void anEndpointThatIsSilentThreeTimesInARowIsLeftAlone() throws Exception {
    troubled.answering(502);

    assertThat(deferral("Troubled")).contains("answered 502").doesNotContain("not sent");
    assertThat(deferral("Troubled")).doesNotContain("not sent");
    assertThat(deferral("Troubled")).doesNotContain("not sent");
    assertThat(deferral("Troubled")).contains("not sent");
    clock.advance(Duration.ofSeconds(1));
    troubled.answering(204);
    EventEnvelope later = troubledEvent();
    assertThat(Sent.of(destination, later).report(later)).isEmpty();
  }

  @Test
  void aWarningSaysWhichHostTakesNothingAndHowManyEventsWait() throws Exception {
    try (CapturedWarnings warnings = new CapturedWarnings(WebhookDestination.class)) {
      int port = troubled.port();
      troubled.close();
      for (int i = 0; i < 20; i++) {
        deferral("Troubled");
      }

      assertThat(warnings.messages())
          .hasSizeLessThan(20)
          .first(STRING)
          .startsWith("subscribers: endpoints take nothing now; their events wait")
          .contains("http://localhost:" + port + " refused the connection or has no route")
          .contains("(events=1, triedAgainIn=1000 ms)")
          .doesNotContain("/Troubled");
    }
  }

  @Test
  void theNextWarningNamesAllHostsThatTookNothingSinceThenUpToTen() throws Exception {
    Standstill standstill = new Standstill("subscribers");
    for (int i = 0; i < 12; i++) {
      Endpoint endpoint = Endpoint.of("https://host%d.example/s3cret".formatted(i), false);
      standstill.remember(endpoint, endpoint.origin() + " is away", Duration.ofSeconds(4));
      standstill.remember(endpoint, endpoint.origin() + " is away", Duration.ofSeconds(2));
    }

    assertThat(standstill.told(24))
        .contains("https://host1.example is away (events=2, triedAgainIn=2000 ms)")
        .endsWith("; others (events=4)");
    assertThat(standstill.told(1)).as("said once").doesNotContain("host1.example");
  }

  private static EventEnvelope troubledEvent() {
    return EventEnvelope.ofJson("Troubled", "{}");
  }

  private String deferral(String type) throws Exception {
    Throwable failure = failure(type);
    assertThat(failure).isInstanceOf(DeferException.class);
    return failure.getMessage();
  }

  private String deferralOf(EventEnvelope event) {
    try {
      return Sent.of(destination, event).failure(event).getMessage();
    } catch (Exception unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  private Throwable failure(String type) throws Exception {
    EventEnvelope event = EventEnvelope.ofJson(type, "{}");
    return Sent.of(destination, event).failure(event);
  }
}
