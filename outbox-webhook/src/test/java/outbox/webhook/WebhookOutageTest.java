package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.model.EventStatus;
import outbox.webhook.Receiver.Answer;

/** From a database to receivers that are down, overrun or broken: what becomes of the events. */
class WebhookOutageTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String LOOPBACK = "127.0.0.1";

  @Test
  void aReceiverThatIsDownUnderLoadLosesNothingAndBuriesNothing() throws Exception {
    Receiver first = Receiver.start(LOOPBACK, freePort());
    try (Shop shop = new Shop(to(first.port()).build())) {
      shop.startWriting();
      await().atMost(PATIENCE).until(() -> arrived(first).size() >= 200);

      first.close();
      int before = shop.written().size();
      await().atMost(PATIENCE).until(() -> shop.written().size() >= before + 500);
      try (Receiver second = Receiver.start(LOOPBACK, first.port())) {
        long back = System.nanoTime();
        awaitThroughput(shop, second);
        assertThat(Duration.ofNanos(System.nanoTime() - back)).isLessThan(recovery());

        shop.stopWriting();
        awaitAllDone(shop);
        assertThat(arrived(first, second)).containsAll(shop.written());
      }
      requireUncharged(shop);
    }
  }

  @Test
  void aReceiverThatAsksToBeLeftAloneCostsNoAttempt() throws Exception {
    try (Receiver receiver = Receiver.start();
        Shop shop = new Shop(to(receiver.port()).build())) {
      receiver.answering(request -> Answer.of(429, "Retry-After", "1"));
      writeHundred(shop);
      awaitQuestionsOf(receiver);

      int busy = receiver.requests().size();
      receiver.answering(204);

      awaitAllDone(shop);
      requireUncharged(shop);
      assertThat(busy).as("not all were sent only to hear that").isLessThan(100);
    }
  }

  @Test
  void aReceiverWhoseDatabaseIsDownBuriesNothing() throws Exception {
    try (Receiver receiver = Receiver.start();
        Shop shop = new Shop(to(receiver.port()).build())) {
      receiver.answering(500);
      writeHundred(shop);
      awaitQuestionsOf(receiver);

      receiver.answering(204);

      awaitAllDone(shop);
      assertThat(shop.count(EventStatus.DEAD)).isZero();
      assertThat(shop.mostAttempts()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void aDeadReceiverIsNoOtherReceiversTrouble() throws Exception {
    int deadPort = freePort();
    try (Receiver healthy = Receiver.start();
        Shop shop =
            new Shop(
                to(deadPort)
                    .url(event -> url(isForDead(event.aggregateId()) ? deadPort : healthy.port()))
                    .build())) {
      for (int i = 0; i < 50; i++) {
        shop.write("healthy-" + i);
        shop.write("dead-" + i);
      }

      await().atMost(PATIENCE).until(() -> shop.count(EventStatus.DONE) == 50);
      assertThat(arrived(healthy)).hasSize(50);
      requireUncharged(shop);

      try (Receiver back = Receiver.start(LOOPBACK, deadPort)) {
        awaitAllDone(shop);
        assertThat(arrived(back)).hasSize(50);
      }
      requireUncharged(shop);
    }
  }

  private static void writeHundred(Shop shop) {
    for (int i = 0; i < 100; i++) {
      shop.write("order-" + i);
    }
  }

  /** More than are sent side by side: some have found out whether it is back. */
  private static void awaitQuestionsOf(Receiver receiver) {
    await().atMost(PATIENCE).until(() -> receiver.requests().size() >= 11);
  }

  private static boolean isForDead(String aggregateId) {
    return aggregateId.startsWith("dead");
  }

  private static WebhookBuilder to(int port) {
    return WebhookDestination.builder("partner")
        .url(url(port))
        .unsigned()
        .allowHttp()
        .allowPrivateAddresses();
  }

  private static String url(int port) {
    return "http://%s:%d/hooks".formatted(LOOPBACK, port);
  }

  private static void awaitAllDone(Shop shop) {
    await().atMost(PATIENCE).until(() -> shop.count(EventStatus.DONE) == shop.written().size());
  }

  private static void requireUncharged(Shop shop) throws Exception {
    assertThat(shop.count(EventStatus.DEAD)).as("DEAD").isZero();
    assertThat(shop.mostAttempts()).as("attempts").isZero();
  }

  /** Returns after a second in which about as many events arrived as were written. */
  private static void awaitThroughput(Shop shop, Receiver receiver) {
    AtomicReference<Counts> last = new AtomicReference<>(counts(shop, receiver));
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              Counts now = counts(shop, receiver);
              return now.isInStepSince(last.getAndSet(now));
            });
  }

  private static Counts counts(Shop shop, Receiver receiver) {
    return new Counts(shop.written().size(), arrived(receiver).size());
  }

  /** What is promised; a machine that has a lot to do besides may be given more. */
  private static Duration recovery() {
    return Duration.ofSeconds(Long.getLong("outbox.test.recoverySeconds", 10));
  }

  private static Set<String> arrived(Receiver... receivers) {
    return Stream.of(receivers)
        .flatMap(receiver -> receiver.requests().stream())
        .map(Receiver.Request::eventId)
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** Not one that systems give to outgoing connections: such a client could connect to itself. */
  private static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        // Another one, then.
      }
    }
  }

  private record Counts(int written, int arrived) {

    boolean isInStepSince(Counts before) {
      return arrived - before.arrived >= Math.max(1, 0.9 * (written - before.written));
    }
  }
}
