package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RepeatingTaskTest {

  private static final Duration LONG = Duration.ofDays(400_000);

  private final AtomicInteger runs = new AtomicInteger();
  private RepeatingTask task;

  @AfterEach
  void close() {
    task.close();
  }

  private RepeatingTask start(Duration pause) {
    task =
        new RepeatingTask(
            "test",
            () -> {
              runs.incrementAndGet();
              return pause;
            },
            LONG);
    task.start();
    return task;
  }

  private void awaitRuns(int count) {
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> runs.get() >= count);
  }

  @Test
  void firstRunComesAtOnce() {
    start(LONG);

    awaitRuns(1);
  }

  @Test
  void runsFollowAfterThePause() {
    start(Duration.ofMillis(1));

    awaitRuns(5);
  }

  @Test
  void wakeMakesItRunAtOnce() {
    start(LONG);
    awaitRuns(1);

    task.wake();
    awaitRuns(2);

    task.wakeAfter(Duration.ofMillis(1));
    awaitRuns(3);
  }

  @Test
  void wakeDuringARunIsNotLost() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch woken = new CountDownLatch(1);
    task =
        new RepeatingTask(
            "test",
            () -> {
              if (runs.incrementAndGet() == 1) {
                running.countDown();
                awaitLatch(woken);
              }
              return LONG;
            },
            LONG);
    task.start();
    running.await();

    task.wake();
    woken.countDown();

    awaitRuns(2);
  }

  @Test
  void laterWakeDoesNotPutOffAnEarlierOne() {
    start(LONG);
    awaitRuns(1);

    task.wakeAfter(Duration.ofMillis(20));
    task.wakeAfter(LONG);

    awaitRuns(2);
  }

  @Test
  void failedRunIsFollowedByThePauseForFailures() {
    task =
        new RepeatingTask(
            "test",
            () -> {
              runs.incrementAndGet();
              throw new AssertionError("broken");
            },
            Duration.ofMillis(1));
    task.start();

    awaitRuns(3);
  }

  @Test
  void interruptDoesNotEndIt() {
    AtomicReference<Thread> thread = new AtomicReference<>();
    task =
        new RepeatingTask(
            "test",
            () -> {
              thread.set(Thread.currentThread());
              runs.incrementAndGet();
              return LONG;
            },
            LONG);
    task.start();
    awaitRuns(1);

    thread.get().interrupt();
    awaitRuns(2);

    task.wake();
    awaitRuns(3);
  }

  @Test
  void closeWaitsForTheRunUnderWay() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    AtomicInteger finished = new AtomicInteger();
    task =
        new RepeatingTask(
            "test",
            () -> {
              running.countDown();
              awaitLatch(closing);
              finished.incrementAndGet();
              return LONG;
            },
            LONG);
    task.start();
    running.await();
    Thread closer = new Thread(task::close);
    closer.start();
    await().atMost(Duration.ofMinutes(1)).until(task::isClosed);

    closing.countDown();
    closer.join();

    assertThat(finished).hasValue(1);
  }

  @Test
  void taskMayCloseItself() {
    AtomicReference<RepeatingTask> self = new AtomicReference<>();
    task =
        new RepeatingTask(
            "test",
            () -> {
              self.get().close();
              runs.incrementAndGet();
              return Duration.ZERO;
            },
            LONG);
    self.set(task);
    task.start();

    awaitRuns(1);
    task.close();

    assertThat(runs).hasValue(1);
  }

  @Test
  void startAfterCloseNamesTheRemedy() {
    start(LONG);
    task.close();

    assertThatThrownBy(task::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("build a new one");
  }

  @Test
  void wakeBeforeStartIsHarmless() {
    task = new RepeatingTask("test", () -> LONG, LONG);

    task.wake();
    task.wakeAfter(Duration.ofMillis(-5));
    task.close();

    assertThat(task.isClosed()).isTrue();
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
