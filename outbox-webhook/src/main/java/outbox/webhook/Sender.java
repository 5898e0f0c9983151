package outbox.webhook;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import outbox.webhook.Verdict.Kind;

/** Sends one request, and says what its answer, or the lack of one, means. */
final class Sender implements AutoCloseable {

  /** A body that takes longer isn't worth the connection. */
  private static final Duration LONGEST_DRAIN = Duration.ofSeconds(5);

  /** What an idle connection is kept for beyond the longest wait for an answer. */
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** How many closed connections are met in a row before that counts as a failure. */
  private static final int MOST_STALE = 3;

  private final HttpClient client;
  private final Gateway gateway;
  private final WebhookSettings settings;
  private final Answers answers;

  Sender(WebhookSettings settings, ExecutorService threads) {
    this.settings = settings;
    Connector connector =
        new Connector(settings.resolver(), settings.addresses(), settings.connectTimeout());
    gateway = new Gateway(connector, threads, settings.requestTimeout().plus(IDLE));
    answers = new Answers(settings.clock(), settings.maxRetryAfter());
    client = client(threads);
  }

  CompletableFuture<Verdict> send(Endpoint endpoint, HttpRequest.Builder request) {
    return send(endpoint, request.timeout(settings.requestTimeout()), MOST_STALE);
  }

  /**
   * A connection that was kept may have been closed by the server in the meantime. That says
   * nothing of the request, so that it is sent again at once.
   *
   * <p>An answer counts from its head on: the client may fail a request whose body breaks off.
   */
  private CompletableFuture<Verdict> send(
      Endpoint endpoint, HttpRequest.Builder request, int repetitions) {
    Passage passage = gateway.open();
    HttpRequest ready = request.setHeader(Gateway.TICKET_HEADER, passage.ticket()).build();
    AtomicReference<HttpResponse.@Nullable ResponseInfo> head = new AtomicReference<>();
    return client
        .sendAsync(
            ready,
            answer -> {
              head.set(answer);
              return new Drain(settings.maxResponseBytes(), LONGEST_DRAIN);
            })
        .handle((response, failure) -> new Reply(head.get(), failure))
        .thenCompose(
            reply -> {
              gateway.end(passage);
              boolean isStale = reply.isBroken() && !passage.isUsed();
              return isStale && repetitions > 0
                  ? send(endpoint, request, repetitions - 1)
                  : CompletableFuture.completedFuture(judge(endpoint, passage, reply));
            });
  }

  int gatewayPort() {
    return gateway.port();
  }

  int gatewaySockets() {
    return gateway.openSockets();
  }

  @Override
  public void close() {
    gateway.close();
  }

  private HttpClient client(ExecutorService threads) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .proxy(gateway.selector())
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(settings.httpVersion())
            .executor(threads);
    if (settings.sslContext() != null) {
      builder.sslContext(settings.sslContext());
    }
    return builder.build();
  }

  /** What the gateway answered in a server's place is no answer. */
  private Verdict judge(Endpoint endpoint, Passage passage, Reply reply) {
    IOException unconnected = passage.failure();
    if (unconnected != null) {
      return unconnected(endpoint, unconnected);
    }
    HttpResponse.ResponseInfo head = reply.head();
    return head == null
        ? unanswered(endpoint, passage, reply.cause())
        : answers.judge(endpoint, head.statusCode(), head.headers());
  }

  private Verdict unconnected(Endpoint endpoint, IOException failure) {
    String origin = endpoint.origin();
    if (failure instanceof RefusedAddressException) {
      return Verdict.of(
          settings.isFixed() ? Kind.UNREACHABLE : Kind.REFUSED, // who hasn't chosen isn't to blame
          "nothing was sent to " + origin + ": " + failure.getMessage());
    }
    if (failure instanceof UnknownHostException) {
      return Verdict.of(Kind.UNREACHABLE, "the host of " + origin + " is unknown to DNS", failure);
    }
    boolean isRefused = failure instanceof ConnectException;
    return Verdict.of(
        Kind.UNREACHABLE,
        isRefused
            ? origin + " refused the connection or has no route"
            : "no connection to "
                + origin
                + " within "
                + settings.connectTimeout().toMillis()
                + " ms",
        failure);
  }

  private Verdict unanswered(Endpoint endpoint, Passage passage, @Nullable Throwable failure) {
    String origin = endpoint.origin();
    if (failure instanceof SSLException) {
      return Verdict.of(Kind.UNREACHABLE, "no TLS with " + origin + ", see the cause", failure);
    }
    if (failure instanceof HttpTimeoutException) {
      String within = " within " + settings.requestTimeout().toMillis() + " ms";
      return passage.isConnecting()
          ? Verdict.of(Kind.UNREACHABLE, "no connection to " + origin + within, failure)
          : Verdict.of(Kind.SILENT, origin + " gave no answer" + within, failure);
    }
    return Verdict.of(
        Kind.SILENT,
        origin + " ended the connection without a complete answer; it may have taken the event",
        failure);
  }

  /** Without a head there is a failure; with one there may be. */
  private record Reply(HttpResponse.@Nullable ResponseInfo head, @Nullable Throwable failure) {

    /** Whether the connection ended before there was an answer. */
    boolean isBroken() {
      Throwable cause = cause();
      return head == null
          && cause instanceof IOException
          && !(cause instanceof HttpTimeoutException)
          && !(cause instanceof SSLException);
    }

    @Nullable Throwable cause() {
      return failure instanceof CompletionException && failure.getCause() != null
          ? failure.getCause()
          : failure;
    }
  }
}
