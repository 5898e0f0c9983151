package outbox.samples.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.samples.webhook.Subscribers.Subscription;
import outbox.webhook.WebhookDestination;
import outbox.webhook.WebhookSignature;

class SubscribersTest {

  private static final String ACME = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String GLOBEX = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

  @Test
  void eachTenantGetsItsOwnEventsSignedWithItsOwnKey() throws Exception {
    try (Partner acme = new Partner(ACME);
        Partner globex = new Partner(GLOBEX);
        WebhookDestination destination =
            new Subscribers(
                    new ConcurrentHashMap<>(
                        Map.of(
                            "acme", new Subscription(acme.url(), WebhookSignature.of(ACME)),
                            "globex", new Subscription(globex.url(), WebhookSignature.of(GLOBEX)))))
                .destination()
                .allowHttp()
                .allowPrivateAddresses()
                .build()) {
      EventEnvelope one = event("acme");
      EventEnvelope other = event("globex");
      EventEnvelope nobodys = event("initech");
      Map<String, String> failures = new ConcurrentHashMap<>();

      destination
          .send(List.of(one, other, nobodys), new Failures(failures))
          .toCompletableFuture()
          .get(1, TimeUnit.MINUTES);

      assertThat(acme.orders()).containsOnlyKeys(one.eventId());
      assertThat(globex.orders()).containsOnlyKeys(other.eventId());
      assertThat(failures)
          .containsExactly(Map.entry(nobodys.eventId(), "tenant initech has no subscription"));
    }
  }

  private static EventEnvelope event(String tenant) {
    return EventEnvelope.builder("OrderPlaced").tenantId(tenant).payloadJson("{}").build();
  }

  private record Failures(Map<String, String> messages) implements BatchResult {

    @Override
    public void delivered(EventEnvelope event) {}

    @Override
    public void failed(EventEnvelope event, Throwable failure) {
      messages.put(event.eventId(), String.valueOf(failure.getMessage()));
    }
  }
}
