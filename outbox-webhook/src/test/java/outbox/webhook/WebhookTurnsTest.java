package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.destination.UnavailableException;
import outbox.webhook.Receiver.Answer;

/** How many go at once, how long the others wait, and what close makes of both. */
class WebhookTurnsTest {

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
  void noMoreThanAllowedAreUnderWayAtOnce() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch full = new CountDownLatch(3);
    receiver.answering(
        request -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          full.countDown();
          awaitQuietly(full);
          running.decrementAndGet();
          return Answer.of(204);
        });
    EventEnvelope[] events = new EventEnvelope[12];
    for (int i = 0; i < events.length; i++) {
      events[i] = Sent.event("order-" + i);
    }

    try (WebhookDestination destination = local().maxConcurrent(3).build()) {
      Sent sent = Sent.of(destination, events);

      assertThat(events).allSatisfy(event -> assertThat(sent.report(event)).isEmpty());
    }
    assertThat(most).hasValue(3);
  }

  @Test
  void whatWaitsTooLongForItsTurnIsPutOffAndNotSent() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    receiver.answering(
        request -> {
          awaitQuietly(end);
          return Answer.of(204);
        });
    EventEnvelope running = Sent.event("order-1");
    EventEnvelope waiting = Sent.event("order-2");
    EventEnvelope behind = Sent.event("order-1");

    try (WebhookDestination destination =
        local().maxConcurrent(1).maxWait(Duration.ofMillis(200)).build()) {
      Sent sent = new Sent();
      var stage = destination.send(List.of(running, waiting, behind), sent).toCompletableFuture();

      for (EventEnvelope event : List.of(waiting, behind)) {
        await().atMost(Duration.ofMinutes(1)).until(() -> sent.report(event) != null);
        assertThat(sent.failure(event))
            .isInstanceOf(DeferException.class)
            .hasMessageContaining("were still before it after 200 ms");
      }
      end.countDown();
      stage.get(1, TimeUnit.MINUTES);
      assertThat(sent.report(running)).isEmpty();
    }
    assertThat(receiver.requests()).hasSize(1);
  }

  @Test
  void whoeverCancelsABatchEndsWhatHasNotBegun() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    receiver.answering(
        request -> {
          awaitQuietly(end);
          return Answer.of(204);
        });
    EventEnvelope running = Sent.event("order-1");
    EventEnvelope waiting = Sent.event("order-2");

    try (WebhookDestination destination = local().maxConcurrent(1).build()) {
      Sent sent = new Sent();
      var stage = destination.send(List.of(running, waiting), sent).toCompletableFuture();
      stage.cancel(true);

      assertThat(sent.failure(waiting)).isInstanceOf(DeferException.class);
      end.countDown();
      await().atMost(Duration.ofMinutes(1)).until(() -> sent.report(running) != null);
      assertThat(sent.report(running)).isEmpty();
    }
    assertThat(receiver.requests()).hasSize(1);
  }

  @Test
  void closeBreaksOffWhatTakesTooLongAndBlamesNoEvent() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    receiver.answering(
        request -> {
          awaitQuietly(end);
          return Answer.of(204);
        });
    WebhookDestination destination =
        local().maxConcurrent(1).closeTimeout(Duration.ofMillis(200)).build();
    Sent sent = new Sent();
    EventEnvelope running = Sent.event("order-1");
    EventEnvelope waiting = Sent.event("order-2");
    EventEnvelope behind = Sent.event("order-2");
    var stage = destination.send(List.of(running, waiting, behind), sent).toCompletableFuture();

    destination.close();

    stage.get(1, TimeUnit.MINUTES);
    end.countDown();
    for (EventEnvelope event : List.of(running, waiting, behind)) {
      assertThat(sent.failure(event))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("receiver was closed");
    }
  }

  @Test
  void closeLeavesNoThreadOfItsOwnBehind() throws Exception {
    try (WebhookDestination destination =
        WebhookDestination.builder("leaver")
            .url(receiver.url())
            .unsigned()
            .allowHttp()
            .allowPrivateAddresses()
            .build()) {
      Sent.delivers(destination);
    }

    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("outbox-webhook-leaver")));
  }

  private WebhookBuilder local() {
    return WebhookDestination.builder("receiver")
        .url(receiver.url())
        .unsigned()
        .allowHttp()
        .allowPrivateAddresses();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
