package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ByteBudgetTest {

  private final ByteBudget budget = new ByteBudget(100);

  @Test
  void budgetIsNeverExceeded() {
    assertThat(budget.tryTake(60)).isTrue();
    assertThat(budget.tryTake(41)).isFalse();
    assertThat(budget.tryTake(40)).isTrue();
    assertThat(budget.free()).isZero();

    budget.giveBack(60);

    assertThat(budget.free()).isEqualTo(60);
    assertThat(budget.tryTake(60)).isTrue();
  }

  @Test
  void halfIsUsedWhenNoMoreIsLeftThanTaken() {
    assertThat(budget.tryTake(49)).isTrue();
    assertThat(budget.isHalfUsed()).isFalse();

    assertThat(budget.tryTake(1)).isTrue();

    assertThat(budget.isHalfUsed()).isTrue();
  }

  @Test
  void eventLargerThanTheBudgetPassesAlone() {
    assertThat(budget.tryTake(1000)).isTrue();
    assertThat(budget.tryTake(1)).isFalse();
    assertThat(budget.free()).isZero();

    budget.giveBack(1000);

    assertThat(budget.tryTake(1)).isTrue();
    assertThat(budget.tryTake(1000)).isFalse();
  }

  @Test
  void manyThreadsStayWithinIt() throws Exception {
    AtomicLong held = new AtomicLong();
    AtomicLong most = new AtomicLong();
    CountDownLatch start = new CountDownLatch(1);
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(() -> takeAndGiveBack(start, held, most));
      threads[i].start();
    }

    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(most.get()).isBetween(1L, 100L);
    assertThat(budget.free()).isEqualTo(100);
  }

  @Test
  void defaultIsAnEighthOfTheHeapOrLess() {
    assertThat(ByteBudget.byDefault())
        .isPositive()
        .isLessThanOrEqualTo(64L << 20)
        .isLessThanOrEqualTo(Runtime.getRuntime().maxMemory() / 8);
  }

  private void takeAndGiveBack(CountDownLatch start, AtomicLong held, AtomicLong most) {
    try {
      start.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    for (int i = 0; i < 50_000; i++) {
      if (budget.tryTake(30)) {
        most.accumulateAndGet(held.addAndGet(30), Math::max);
        held.addAndGet(-30);
        budget.giveBack(30);
      }
    }
  }
}
