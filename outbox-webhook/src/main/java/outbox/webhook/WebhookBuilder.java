package outbox.webhook;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.destination.MessageFormat;
import outbox.destination.internal.MonotonicClock;

/**
 * Builds a {@link WebhookDestination}. Where the events go ({@code url}) and what they are signed
 * with ({@code signedBy}, or {@code unsigned}) must be said; everything else has a default.
 */
public final class WebhookBuilder {

  private static final int DEFAULT_MAX_CONCURRENT = 8;
  private static final int DEFAULT_MAX_RESPONSE_BYTES = 64 * 1024;

  private final String name;
  private final Map<String, String> headers = new LinkedHashMap<>(Map.of("user-agent", "outbox"));
  private @Nullable String fixedUrl;
  private @Nullable Function<EventEnvelope, @Nullable String> urlRule;
  private @Nullable Function<EventEnvelope, @Nullable WebhookSignature> signature;
  private MessageFormat format = MessageFormat.raw();
  private boolean allowHttp;
  private AddressRules addresses = AddressRules.publicOnly();
  private Resolver resolver = InetAddress::getAllByName;
  private @Nullable SSLContext sslContext;
  private HttpClient.Version httpVersion = HttpClient.Version.HTTP_1_1;
  private Duration connectTimeout = Duration.ofSeconds(5);
  private Duration requestTimeout = Duration.ofSeconds(15);
  private Duration maxWait = Duration.ofSeconds(5);
  private Duration closeTimeout = Duration.ofSeconds(15);
  private Duration maxRetryAfter = Duration.ofHours(1);
  private int maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES;
  private int maxConcurrent = DEFAULT_MAX_CONCURRENT;
  private Consumer<URI> onGone = gone -> {};
  private Clock clock = Clock.systemUTC();
  private Clock spans = MonotonicClock.startingWith(clock);

  WebhookBuilder(String name) {
    Checks.that(!name.isBlank(), "name", "not empty", '"' + name + '"');
    this.name = name;
  }

  /** One URL for all events. If it can't be reached the destination is unavailable. */
  public WebhookBuilder url(String url) {
    fixedUrl = Objects.requireNonNull(url, "url must not be null");
    urlRule = null;
    return this;
  }

  /**
   * A URL for each event, by its type, tenant or headers, from a rule or a table of subscriptions.
   * An endpoint that can't be reached defers its own events, and no others. The rule is asked at
   * every try; an event that it has no URL for is buried. What goes into a URL from an event has to
   * be encoded.
   */
  public WebhookBuilder url(Function<EventEnvelope, @Nullable String> rule) {
    urlRule = Objects.requireNonNull(rule, "rule must not be null");
    fixedUrl = null;
    return this;
  }

  /** Keys as {@link WebhookSignature} reads them; several while keys are replaced. */
  public WebhookBuilder signedBy(String... keys) {
    WebhookSignature all = signing(WebhookSignature.of(keys));
    signature = event -> all;
    return this;
  }

  /** Keys for each event: receivers should not share theirs. */
  public WebhookBuilder signedBy(Function<EventEnvelope, WebhookSignature> keys) {
    Objects.requireNonNull(keys, "keys must not be null");
    signature = event -> Objects.requireNonNull(keys.apply(event), "signature must not be null");
    return this;
  }

  /** For receivers that know their sender by other means, such as a header of their own. */
  public WebhookBuilder unsigned() {
    signature = event -> null;
    return this;
  }

  /** What a request consists of; {@link MessageFormat#raw()} if not set. */
  public WebhookBuilder format(MessageFormat format) {
    this.format = Objects.requireNonNull(format, "format must not be null");
    return this;
  }

  /** A header of every request, such as {@code Authorization}. Replaces one of the event. */
  public WebhookBuilder header(String name, String value) {
    RequestHeaders.requireUsable(name, value);
    headers.put(name.toLowerCase(Locale.ROOT), value);
    return this;
  }

  /** Names the sender to its receivers; {@code outbox} if not set. */
  public WebhookBuilder userAgent(String userAgent) {
    RequestHeaders.requirePrintable("userAgent", userAgent);
    headers.put("user-agent", userAgent);
    return this;
  }

  /** Permits URLs without encryption; they are refused if not set. */
  public WebhookBuilder allowHttp() {
    allowHttp = true;
    return this;
  }

  /**
   * Permits loopback, private, carrier and unique local addresses, but not those where a cloud
   * tells its machines their keys. For endpoints of one's own: with URLs that somebody else chooses
   * it opens the network to them.
   */
  public WebhookBuilder allowPrivateAddresses() {
    addresses = addresses.andPrivate();
    return this;
  }

  /** Permits these ranges beside the public internet, such as {@code 10.1.0.0/16}. */
  public WebhookBuilder allowAddresses(String... ranges) {
    addresses = addresses.and(ranges);
    return this;
  }

  /** For certificates of one's own, on either side; that of the JVM if not set. */
  public WebhookBuilder sslContext(SSLContext sslContext) {
    this.sslContext = Objects.requireNonNull(sslContext, "sslContext must not be null");
    return this;
  }

  /** {@code HTTP_1_1} if not set; {@code HTTP_2} is used where the server can, and with https. */
  public WebhookBuilder httpVersion(HttpClient.Version httpVersion) {
    this.httpVersion = Objects.requireNonNull(httpVersion, "httpVersion must not be null");
    return this;
  }

  /** Default 5 s, for all addresses of a host together. */
  public WebhookBuilder connectTimeout(Duration connectTimeout) {
    this.connectTimeout = Checks.positive("connectTimeout", connectTimeout);
    return this;
  }

  /** From the connection to the head of the answer; default 15 s. */
  public WebhookBuilder requestTimeout(Duration requestTimeout) {
    this.requestTimeout = Checks.positive("requestTimeout", requestTimeout);
    return this;
  }

  /**
   * How long an event waits for its turn behind others, before it is put off for a moment; default
   * 5 s. Together with {@code requestTimeout} and 5 s it should be less than the guard's timeout.
   */
  public WebhookBuilder maxWait(Duration maxWait) {
    this.maxWait = Checks.positive("maxWait", maxWait);
    return this;
  }

  /** How long {@code close} goes on sending; default 15 s. */
  public WebhookBuilder closeTimeout(Duration closeTimeout) {
    this.closeTimeout = Checks.positive("closeTimeout", closeTimeout);
    return this;
  }

  /** The longest pause that an answer can ask for; default an hour. */
  public WebhookBuilder maxRetryAfter(Duration maxRetryAfter) {
    this.maxRetryAfter = Checks.positive("maxRetryAfter", maxRetryAfter);
    return this;
  }

  /** How much of an answer is read, and thrown away; default 64 KiB. More ends the connection. */
  public WebhookBuilder maxResponseBytes(int maxResponseBytes) {
    this.maxResponseBytes = Checks.atLeastOne("maxResponseBytes", maxResponseBytes);
    return this;
  }

  /** The most requests that are under way to one host; default 8. */
  public WebhookBuilder maxConcurrent(int maxConcurrent) {
    this.maxConcurrent = Checks.atLeastOne("maxConcurrent", maxConcurrent);
    return this;
  }

  /** Is told the URL of every 410 Gone, so that its subscription can be ended. */
  public WebhookBuilder onGone(Consumer<URI> onGone) {
    this.onGone = Objects.requireNonNull(onGone, "onGone must not be null");
    return this;
  }

  WebhookBuilder resolver(Resolver resolver) {
    this.resolver = resolver;
    return this;
  }

  WebhookBuilder clock(Clock clock) {
    return clocks(clock, clock);
  }

  WebhookBuilder clocks(Clock clock, Clock spans) {
    this.clock = clock;
    this.spans = spans;
    return this;
  }

  /**
   * A destination that is ready to send.
   *
   * @throws IllegalArgumentException if the URL can't be used
   * @throws NullPointerException if URL or signature were not said
   */
  public WebhookDestination build() {
    return new WebhookDestination(
        new WebhookSettings(
            name,
            endpoint(),
            fixedUrl != null,
            Objects.requireNonNull(
                signature, "signedBy(…) or unsigned() must be called before build()"),
            format,
            Map.copyOf(headers),
            addresses,
            resolver,
            sslContext,
            httpVersion,
            connectTimeout,
            requestTimeout,
            maxWait,
            closeTimeout,
            maxRetryAfter,
            maxResponseBytes,
            maxConcurrent,
            onGone,
            clock,
            spans));
  }

  private Function<EventEnvelope, Endpoint> endpoint() {
    boolean http = allowHttp;
    if (fixedUrl != null) {
      Endpoint endpoint = Endpoint.of(fixedUrl, http);
      return event -> endpoint;
    }
    Function<EventEnvelope, @Nullable String> rule =
        Objects.requireNonNull(urlRule, "url must be set before build()");
    return event -> Endpoint.of(rule.apply(event), event, http);
  }

  private static WebhookSignature signing(WebhookSignature signature) {
    Checks.that(signature.canSign(), "keys", "some that sign, whsec_ or whsk_", "only whpk_");
    return signature;
  }
}
