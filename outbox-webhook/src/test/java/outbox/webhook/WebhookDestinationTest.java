package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.standardwebhooks.Webhook;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.webhook.Receiver.Answer;
import outbox.webhook.Receiver.Request;

class WebhookDestinationTest {

  private static final String OLD_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String NEW_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

  private Receiver receiver;

  @BeforeEach
  void start() throws Exception {
    receiver = Receiver.start();
  }

  @AfterEach
  void stop() {
    receiver.close();
  }

  @Test
  void aReceiverWithAnotherLibraryAcceptsEitherKeyWhileTheyAreReplaced() throws Exception {
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced").payloadJson("{\"name\":\"Grüße 🙂\"}").build();

    try (WebhookDestination destination = local().signedBy(OLD_SECRET, NEW_SECRET).build()) {
      assertThat(Sent.of(destination, event).report(event)).isEmpty();
    }

    Request request = receiver.requests().get(0);
    assertThat(request.eventId()).isEqualTo(event.eventId());
    for (String secret : List.of(OLD_SECRET, NEW_SECRET)) {
      assertThatCode(() -> new Webhook(secret).verify(text(request), lists(request)))
          .doesNotThrowAnyException();
      assertThatCode(() -> WebhookSignature.of(secret).verify(request::header, request.body()))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void eachTenantHasItsOwnKey() throws Exception {
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced").tenantId("acme").payloadJson("{}").build();
    Map<String, WebhookSignature> keys = Map.of("acme", WebhookSignature.of(NEW_SECRET));

    try (WebhookDestination destination =
        local().signedBy(sent -> keys.get(sent.tenantId())).build()) {
      assertThat(Sent.of(destination, event).report(event)).isEmpty();
    }

    Request request = receiver.requests().get(0);
    assertThatCode(() -> WebhookSignature.of(NEW_SECRET).verify(request::header, request.body()))
        .doesNotThrowAnyException();
  }

  @Test
  void aRequestHasTheHeadersOfTheEventAndOfTheApplication() throws Exception {
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .aggregateType("Order")
            .header("Correlation-Id", "request-7")
            .header("city", "Zürich 100%")
            .header("authorization", "of-the-event")
            .header("Host", "elsewhere.example")
            .header("webhook-signature", "forged")
            .header("Transfer-Encoding", "chunked")
            .payloadJson("{}")
            .build();

    try (WebhookDestination destination =
        local().header("Authorization", "Bearer mine").userAgent("shop/1.0").build()) {
      assertThat(Sent.of(destination, event).report(event)).isEmpty();
    }

    Request request = receiver.requests().get(0);
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.uri()).isEqualTo("/hooks/s3cret-path?token=s3cret-query");
    assertThat(request.headers())
        .containsEntry("correlation-id", "request-7")
        .containsEntry("city", "Z%C3%BCrich 100%25")
        .containsEntry("authorization", "Bearer mine")
        .containsEntry("user-agent", "shop/1.0")
        .containsEntry("content-type", "application/json")
        .containsEntry("host", "localhost:" + receiver.port())
        .containsEntry("content-length", "2")
        .doesNotContainKeys("webhook-signature", "transfer-encoding", "proxy-authorization");
  }

  @Test
  void oneEventOfABatchIsRefusedAndTheOthersAreDelivered() throws Exception {
    EventEnvelope first = Sent.event("order-1");
    EventEnvelope second = Sent.event("order-1");
    EventEnvelope third = Sent.event("order-1");
    receiver.answering(
        request -> Answer.of(request.eventId().equals(second.eventId()) ? 422 : 204));

    try (WebhookDestination destination = local().build()) {
      Sent sent = Sent.of(destination, first, second, third);

      assertThat(sent.report(first)).isEmpty();
      assertThat(sent.failure(second)).isInstanceOf(NonRetryableException.class);
      assertThat(sent.report(third)).isEmpty();
    }
    assertThat(receiver.requests())
        .extracting(Request::eventId)
        .containsExactly(first.eventId(), second.eventId(), third.eventId());
  }

  @ParameterizedTest
  @CsvSource({
    "http://example.com/, an https URL",
    "ftp://example.com/, an https URL",
    "example.com, an https URL",
    "https:///path, one with a valid host",
    "https://under_score.example/, one with a valid host",
    "https://s3cret:s3cret@example.com/, free of user and password",
    "https://example.com:99999/, at most 65535",
    "'https://example.com/s3cret path', a valid URL"
  })
  void aUrlThatIsNotToBeUsedIsRefusedAndNotTold(String url, String rule) throws Exception {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WebhookDestination.builder("any").url(url).unsigned().build())
        .withMessageContaining("must be " + rule)
        .withMessageNotContaining("s3cret");

    try (WebhookDestination byRule =
        WebhookDestination.builder("any").url(event -> url).unsigned().build()) {
      assertThat(Sent.failure(byRule))
          .isInstanceOf(NonRetryableException.class)
          .hasMessageContaining("must be " + rule)
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void anEventThatCannotBeAWebhookIsBuriedAlone() throws Exception {
    EventEnvelope dotted =
        EventEnvelope.builder("OrderPlaced").eventId("order.1").payloadJson("{}").build();
    EventEnvelope odd =
        EventEnvelope.builder("OrderPlaced").header("a b", "c").payloadJson("{}").build();
    EventEnvelope fine = Sent.event();

    try (WebhookDestination destination = local().build()) {
      Sent sent = Sent.of(destination, dotted, odd, fine);

      assertThat(sent.failure(dotted))
          .isInstanceOf(NonRetryableException.class)
          .hasMessageContaining("order.1");
      assertThat(sent.failure(odd))
          .isInstanceOf(NonRetryableException.class)
          .hasMessageContaining("must be a token of HTTP, got: a b");
      assertThat(sent.report(fine)).isEmpty();
    }
  }

  @Test
  void aRuleWithoutAUrlBuriesAndOneThatThrowsFailsItsEvent() throws Exception {
    try (WebhookDestination none =
            WebhookDestination.builder("any").url(event -> null).unsigned().build();
        WebhookDestination throwing =
            WebhookDestination.builder("any")
                .url(
                    event -> {
                      throw new IllegalStateException("the table of subscriptions is away");
                    })
                .unsigned()
                .build()) {
      assertThat(Sent.failure(none))
          .isInstanceOf(NonRetryableException.class)
          .hasMessageContaining("has no URL");
      assertThat(Sent.failure(throwing)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aFormatThatBreaksFailsItsEventAndKeepsNoTurn() throws Exception {
    EventEnvelope[] events = {Sent.event("order-1"), Sent.event("order-1"), Sent.event("order-1")};
    try (WebhookDestination destination =
        local()
            .maxConcurrent(1)
            .format(
                (event, protocol) -> {
                  throw new NoClassDefFoundError("of the format");
                })
            .build()) {
      Sent sent = Sent.of(destination, events);

      assertThat(events)
          .allSatisfy(
              event -> assertThat(sent.failure(event)).isInstanceOf(NoClassDefFoundError.class));
    }
  }

  @Test
  void whereAndHowMustBeSaid() {
    assertThatNullPointerException()
        .isThrownBy(() -> WebhookDestination.builder("any").unsigned().build())
        .withMessageContaining("url must be set");
    assertThatNullPointerException()
        .isThrownBy(() -> WebhookDestination.builder("any").url("https://example.com").build())
        .withMessageContaining("signedBy");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                WebhookDestination.builder("any")
                    .signedBy("whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="))
        .withMessageContaining("keys must be some that sign");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WebhookDestination.builder("any").header("Content-Length", "5"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WebhookDestination.builder("any").header("X", "s3cret\r\nY: z"))
        .withMessageNotContaining("s3cret");
  }

  private WebhookBuilder local() {
    return WebhookDestination.builder("receiver")
        .url(receiver.url())
        .unsigned()
        .allowHttp()
        .allowPrivateAddresses();
  }

  private static String text(Request request) {
    return new String(request.body(), StandardCharsets.UTF_8);
  }

  private static Map<String, List<String>> lists(Request request) {
    Map<String, List<String>> lists = new HashMap<>();
    request.headers().forEach((name, value) -> lists.put(name, new ArrayList<>(List.of(value))));
    return lists;
  }
}
