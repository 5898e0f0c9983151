package outbox.webhook;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.destination.Destination;
import outbox.destination.UnavailableException;

/**
 * Sends every event as a signed HTTP request, as Standard Webhooks has it, to a URL of the public
 * internet, and counts it as delivered when the answer is 2xx. Safe for all threads.
 *
 * <p>Nothing is sent to an address of a private network unless that is allowed, whatever a name
 * resolves to and whenever that changes; no redirect is followed. What each answer means for its
 * event is on the documentation's page on webhooks.
 *
 * <pre>{@code
 * WebhookDestination partner =
 *     WebhookDestination.builder("partner")
 *         .url("https://partner.example/events")
 *         .signedBy("whsec_…")
 *         .build();
 * }</pre>
 *
 * <p>Each event is a request of its own; those of a batch go out side by side, as many at once as
 * {@link WebhookBuilder#maxConcurrent} says for each host, and those of one aggregate one after
 * another.
 */
public final class WebhookDestination implements Destination {

  private static final int MAX_BATCH = 100;

  /** How long broken connections may take to be noticed. */
  private static final Duration BREAKING_OFF = Duration.ofSeconds(2);

  private final WebhookSettings settings;
  private final ExecutorService threads;
  private final Sender sender;
  private final Deliveries deliveries;
  private final Underway underway = new Underway();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private volatile boolean isBroken;

  WebhookDestination(WebhookSettings settings) {
    this.settings = settings;
    threads = Executors.newCachedThreadPool(new DaemonThreads("outbox-webhook-" + settings.name()));
    sender = new Sender(settings, threads);
    deliveries = new Deliveries(settings, sender, threads, () -> isBroken);
  }

  /**
   * Begins a destination; URL and keys must be given next.
   *
   * @param name of the destination, in logs, metrics and health
   */
  public static WebhookBuilder builder(String name) {
    return new WebhookBuilder(Objects.requireNonNull(name, "name must not be null"));
  }

  @Override
  public String name() {
    return settings.name();
  }

  @Override
  public CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) {
    if (isClosed.get()) {
      throw new UnavailableException("webhook destination " + name() + " is closed", null);
    }
    return underway.add(deliveries.begin(events, result));
  }

  /** Small, because the next one may begin before it has ended. */
  @Override
  public int maxBatch() {
    return MAX_BATCH;
  }

  /**
   * Sends what it was given, for as long as {@link WebhookBuilder#closeTimeout} says. What is left
   * then is broken off, and charged with no attempt.
   */
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      underway.await(settings.closeTimeout());
      isBroken = true;
      sender.close();
      underway.await(BREAKING_OFF);
      threads.shutdown();
    }
  }

  int gatewayPort() {
    return sender.gatewayPort();
  }

  int gatewaySockets() {
    return sender.gatewaySockets();
  }

  @Override
  public String toString() {
    return "WebhookDestination[" + settings.name() + "]";
  }
}
