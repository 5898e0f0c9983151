package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What everything promises that is started, works on a thread of its own, and is closed. */
public abstract class LifecycleContract {

  private static final int RACES = 100;

  private Set<Thread> before = Set.of();

  /** Something with a beginning and an end. */
  public interface Service {

    void start();

    void close();

    static Service of(Runnable start, Runnable close) {
      return new Service() {
        @Override
        public void start() {
          start.run();
        }

        @Override
        public void close() {
          close.run();
        }
      };
    }
  }

  /** A new service that was never started. */
  protected abstract Service service();

  @BeforeEach
  void rememberThreads() {
    before = outboxThreads();
  }

  @Test
  void startedServiceHasAThreadUntilItIsClosed() {
    Service service = service();

    service.start();
    assertThat(newThreads()).hasSize(1).allMatch(Thread::isDaemon);

    service.close();
    assertNoThreadIsLeft();
  }

  @Test
  void serviceThatIsNotStartedHasNoThread() {
    Service service = service();

    assertThat(newThreads()).isEmpty();

    service.close();
    assertThat(newThreads()).isEmpty();
  }

  @Test
  void startingTwiceIsHarmless() {
    Service service = service();

    service.start();
    service.start();

    assertThat(newThreads()).hasSize(1);
    service.close();
    assertNoThreadIsLeft();
  }

  @Test
  void startAfterCloseIsRefused() {
    Service service = service();
    service.start();
    service.close();

    assertThatThrownBy(service::start).isInstanceOf(IllegalStateException.class);

    assertNoThreadIsLeft();
  }

  @Test
  void startAfterCloseIsRefusedEvenIfItNeverRan() {
    Service service = service();
    service.close();

    assertThatThrownBy(service::start).isInstanceOf(IllegalStateException.class);

    assertNoThreadIsLeft();
  }

  @Test
  void closingTwiceIsHarmless() {
    Service service = service();
    service.start();

    service.close();

    assertThatCode(service::close).doesNotThrowAnyException();
  }

  @Test
  void closeRacingStartLeavesNoThreadBehind() throws Exception {
    for (int i = 0; i < RACES; i++) {
      Service service = service();

      race(() -> startUnlessClosed(service), service::close);

      assertThatThrownBy(service::start).isInstanceOf(IllegalStateException.class);
    }
    assertNoThreadIsLeft();
  }

  @Test
  void racingStartsMakeOneThread() throws Exception {
    for (int i = 0; i < RACES; i++) {
      Service service = service();

      race(service::start, service::start);

      assertThat(newThreads()).hasSizeLessThanOrEqualTo(1);
      race(service::close, service::close);
      assertNoThreadIsLeft();
    }
  }

  private static void startUnlessClosed(Service service) {
    try {
      service.start();
    } catch (IllegalStateException closedFirst) {
      // the other side won
    }
  }

  private static void race(Runnable... sides) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(sides.length);
    ExecutorService threads = Executors.newFixedThreadPool(sides.length);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (Runnable side : sides) {
        results.add(
            threads.submit(
                () -> {
                  barrier.await();
                  side.run();
                  return null;
                }));
      }
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void assertNoThreadIsLeft() {
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> newThreads().isEmpty());
  }

  private Set<Thread> newThreads() {
    return outboxThreads().stream()
        .filter(thread -> !before.contains(thread))
        .collect(Collectors.toSet());
  }

  private static Set<Thread> outboxThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("outbox-"))
        .collect(Collectors.toSet());
  }
}
