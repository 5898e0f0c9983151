package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.QueuedEvent;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.testing.InMemoryOutboxStore;

/** The listeners that the page shows, with a warehouse that answers what the payload asks for. */
@Timeout(60)
class ListenersTest {

  private final InMemoryOutboxStore store = new InMemoryOutboxStore();
  private final DefaultListenerRegistry registry = new DefaultListenerRegistry();
  private HttpServer warehouse;
  private Listeners listeners;

  @BeforeEach
  void openWarehouse() throws IOException {
    warehouse = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    warehouse.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          int status = Integer.parseInt(new String(body, StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    warehouse.start();
    String host = warehouse.getAddress().getAddress().getHostAddress();
    listeners =
        new Listeners(URI.create("http://" + host + ":" + warehouse.getAddress().getPort()));
  }

  @AfterEach
  void closeWarehouse() {
    warehouse.stop(0);
  }

  private OutboxDispatcher.Builder dispatcher() {
    return OutboxDispatcher.builder()
        .connectionProvider(store.connections())
        .outboxStore(store)
        .listenerRegistry(registry);
  }

  private EventDetails deliver(OutboxDispatcher dispatcher, int answer) {
    EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", Integer.toString(answer));
    store.insertNew(null, event);
    Instant before = store.find(event.eventId()).orElseThrow().availableAt();
    dispatcher.enqueueHot(new QueuedEvent(event, QueuedEvent.Source.HOT, 0));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              EventDetails row = store.find(event.eventId()).orElseThrow();
              return row.status() != EventStatus.NEW || row.availableAt().isAfter(before);
            });
    return store.find(event.eventId()).orElseThrow();
  }

  @Test
  void answerDecidesWhatBecomesOfTheEvent() {
    EventListener listener = listeners.calling();
    registry.register("OrderPlaced", listener);

    try (OutboxDispatcher dispatcher = dispatcher().build()) {
      assertThat(deliver(dispatcher, 200).status()).isEqualTo(EventStatus.DONE);
      assertThat(deliver(dispatcher, 422).status()).isEqualTo(EventStatus.DEAD);
      assertThat(deliver(dispatcher, 500).status()).isEqualTo(EventStatus.RETRY);

      EventDetails busy = deliver(dispatcher, 429);
      assertThat(busy.status()).isEqualTo(EventStatus.RETRY);
      assertThat(busy.availableAt()).isAfter(busy.event().createdAt().plusSeconds(50));

      EventDetails closed = deliver(dispatcher, 503);
      assertThat(closed.status()).isEqualTo(EventStatus.NEW);
      assertThat(closed.event().attempts()).isZero();
      assertThat(closed.availableAt()).isAfter(closed.event().createdAt().plusSeconds(250));
    }
  }

  @Test
  void asynchronousAnswerDoesSo() {
    listeners.registerAsync(registry);

    try (OutboxDispatcher dispatcher = Listeners.bounded(dispatcher()).build()) {
      assertThat(deliver(dispatcher, 200).status()).isEqualTo(EventStatus.DONE);
      EventDetails failed = deliver(dispatcher, 500);
      assertThat(failed.status()).isEqualTo(EventStatus.RETRY);
      assertThat(failed.lastError()).isEqualTo("IllegalStateException");
    }
  }

  @Test
  void documentThatTheIndexRejectsIsDead() {
    registry.register(
        "OrderPlaced",
        new Listeners.SearchIndex(
            events ->
                events.stream()
                    .filter(event -> "400".equals(event.payloadJson()))
                    .map(event -> new Listeners.Index.Rejection(event, "no such field"))
                    .toList()));

    try (OutboxDispatcher dispatcher = dispatcher().build()) {
      assertThat(deliver(dispatcher, 200).status()).isEqualTo(EventStatus.DONE);
      EventDetails rejected = deliver(dispatcher, 400);
      assertThat(rejected.status()).isEqualTo(EventStatus.DEAD);
      assertThat(rejected.lastError()).contains("no such field");
    }
  }

  @Test
  void nodeTakesOnlyWhatItKnows() {
    EventEnvelope unknown = EventEnvelope.ofJson("OrderShipped", "{}");
    EventEnvelope known = EventEnvelope.ofJson("OrderPlaced", "{}");
    List.of(unknown, known).forEach(event -> store.insertNew(null, event));
    registry.register("OrderPlaced", event -> {});
    OutboxDispatcher.Builder dispatching = dispatcher();
    OutboxPoller.Builder polling =
        OutboxPoller.builder()
            .connectionProvider(store.connections())
            .outboxStore(store)
            .claimLocking(Duration.ofMinutes(5));

    Listeners.rolling(dispatching, polling, registry);
    try (OutboxDispatcher dispatcher = dispatching.build();
        OutboxPoller poller = polling.handler(new DispatcherPollerHandler(dispatcher)).build()) {
      poller.poll();
    }

    assertThat(store.find(known.eventId()).orElseThrow().status()).isEqualTo(EventStatus.DONE);
    assertThat(store.find(unknown.eventId()).orElseThrow().status()).isEqualTo(EventStatus.NEW);
  }
}
