package outbox.webhook;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.destination.MessageFormat;

/**
 * Everything a {@link WebhookDestination} needs to know, checked by its builder.
 *
 * @param isFixed whether there is one endpoint for all events
 * @param signature what an event is signed with; null for none
 * @param clock the time of day, for what others read it from or say it in
 * @param spans measures how long something takes; setting the time of day doesn't move it
 */
record WebhookSettings(
    String name,
    Function<EventEnvelope, Endpoint> endpoint,
    boolean isFixed,
    Function<EventEnvelope, @Nullable WebhookSignature> signature,
    MessageFormat format,
    Map<String, String> headers,
    AddressRules addresses,
    Resolver resolver,
    @Nullable SSLContext sslContext,
    HttpClient.Version httpVersion,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration maxWait,
    Duration closeTimeout,
    Duration maxRetryAfter,
    int maxResponseBytes,
    int maxConcurrent,
    Consumer<URI> onGone,
    Clock clock,
    Clock spans) {}
