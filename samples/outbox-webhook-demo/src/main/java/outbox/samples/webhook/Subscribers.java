package outbox.samples.webhook;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.webhook.WebhookBuilder;
import outbox.webhook.WebhookDestination;
import outbox.webhook.WebhookSignature;

/** A URL and a key for each tenant: webhooks that customers subscribe to. */
final class Subscribers {

  private final Map<String, Subscription> byTenant;

  Subscribers(Map<String, Subscription> byTenant) {
    this.byTenant = byTenant;
  }

  WebhookBuilder destination() {
    // docs:begin subscribers
    return WebhookDestination.builder("subscribers")
        .url(event -> subscription(event).url())
        .signedBy(event -> subscription(event).signature())
        .onGone(url -> byTenant.values().removeIf(one -> one.url().equals(url.toString())));
    // docs:end subscribers
  }

  private Subscription subscription(EventEnvelope event) {
    @Nullable String tenant = event.tenantId();
    Subscription found = tenant == null ? null : byTenant.get(tenant);
    if (found == null) {
      throw new NonRetryableException("tenant " + tenant + " has no subscription");
    }
    return found;
  }

  record Subscription(String url, WebhookSignature signature) {}
}
